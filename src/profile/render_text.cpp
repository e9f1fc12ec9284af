// SPDX-License-Identifier: MIT
// The difference as plain text for a terminal and a mail.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>

#include "msgring/profile/render.hpp"
#include "profile/rounding.hpp"

namespace msgring::profile {
namespace {

constexpr std::size_t kColumns = 76;
constexpr std::size_t kFigureColumns = 10;
constexpr std::size_t kNameColumns = kColumns - 3 * kFigureColumns;

struct Row {
  std::string name;
  Pair value;
};

std::string figure(std::int64_t tenths) { return fmt::format("{:10.1f}", double(tenths) / 10); }

std::string change(std::int64_t tenths) {
  return tenths == 0 ? fmt::format("{:>10}", "0.0") : fmt::format("{:+10.1f}", double(tenths) / 10);
}

/// A name cut to `columns`, with "~" where something is left out.
std::string fitted(std::string_view name, std::size_t columns) {
  return name.size() <= columns ? std::string(name)
                                : std::string(name.substr(0, columns - 1)) + "~";
}

std::string line(std::string_view name, std::int64_t a, std::int64_t b) {
  return fmt::format("{:<{}}{}{}{}\n", fitted(name, kNameColumns), kNameColumns, figure(a),
                     figure(b), change(b - a));
}

std::string head(std::string_view name) {
  return fmt::format("{:<{}}{:>10}{:>10}{:>10}\n", name, kNameColumns, "A", "B", "B - A");
}

/// Lines for `rows` and their total below; the printed columns add up.
std::string table(const std::vector<Row>& rows, std::int64_t divisor) {
  std::vector<std::int64_t> a;
  std::vector<std::int64_t> b;
  for (const Row& row : rows) {
    a.push_back(row.value.a);
    b.push_back(row.value.b);
  }
  const std::vector<std::int64_t> of_a = tenths(a, divisor);
  const std::vector<std::int64_t> of_b = tenths(b, divisor);
  std::string text;
  std::int64_t total_a = 0;
  std::int64_t total_b = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += line(rows[i].name, of_a[i], of_b[i]);
    total_a += of_a[i];
    total_b += of_b[i];
  }
  return text + line("total", total_a, total_b);
}

std::string marked(const FunctionRow& row) {
  constexpr std::size_t kMarkColumns = 9;
  std::string name = fitted(row.name, kNameColumns - kMarkColumns);
  switch (row.sides) {
    case Sides::kOnlyA:
      return name + " (only A)";
    case Sides::kOnlyB:
      return name + " (only B)";
    case Sides::kBoth:
      break;
  }
  return name;
}

std::string function_table(const Difference& difference, std::size_t most) {
  std::vector<Row> rows;
  Pair rest;
  for (const FunctionRow& row : difference.functions) {
    if (rows.size() < most) {
      rows.push_back({marked(row), row.self});
    } else {
      rest += row.self;
    }
  }
  if (difference.functions.size() > rows.size()) {
    const std::size_t others = difference.functions.size() - rows.size();
    rows.push_back({fmt::format("{} other functions together", others), rest});
  }
  return head("function") + table(rows, difference.divisor);
}

/// The functions whose cost with everything below them changed most. What is hardly more than the
/// whole, the way into the kernel, says nothing and is left out.
std::string inclusive_table(const Difference& difference, std::size_t most) {
  std::vector<const FunctionRow*> rows;
  for (const FunctionRow& row : difference.functions) {
    const bool way_in = 20 * row.inclusive.a >= 19 * difference.total.a;
    if (!way_in && tenth(row.inclusive.change(), difference.divisor) != 0) {
      rows.push_back(&row);
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [](const FunctionRow* left, const FunctionRow* right) {
    return std::abs(left->inclusive.change()) > std::abs(right->inclusive.change());
  });
  rows.resize(std::min(rows.size(), most));
  std::string text = head("function and everything below it");
  for (const FunctionRow* row : rows) {
    text += line(marked(*row), tenth(row->inclusive.a, difference.divisor),
                 tenth(row->inclusive.b, difference.divisor));
  }
  return text;
}

/// The call tree's lines, the larger change first, without what changed too little to matter.
class TreeText {
 public:
  TreeText(const Difference& difference, double least) : of_(difference), least_(least) {
    children_.resize(of_.nodes.size());
    for (std::uint32_t i = 1; i < of_.nodes.size(); ++i) {
      if (shown(i)) {
        children_[of_.nodes[i].parent].push_back(i);
      }
    }
  }

  std::string text() {
    add(0, 0);
    return std::move(text_);
  }

 private:
  bool shown(std::uint32_t node) const {
    return std::abs(static_cast<double>(of_.nodes[node].inclusive.change())) >= least_;
  }

  void add(std::uint32_t node, std::size_t depth) {
    const DifferenceNode& at = of_.nodes[node];
    const std::int64_t a = tenth(at.inclusive.a, of_.divisor);
    const std::int64_t b = tenth(at.inclusive.b, of_.divisor);
    const std::size_t indent = std::min<std::size_t>(depth, 24);
    text_ += fmt::format("{}{}{}  {}{}\n", figure(a), figure(b), change(b - a),
                         std::string(indent, ' '), fitted(at.name, kColumns - 32 - indent));
    std::stable_sort(children_[node].begin(), children_[node].end(),
                     [&](std::uint32_t left, std::uint32_t right) {
                       return std::abs(of_.nodes[left].inclusive.change()) >
                              std::abs(of_.nodes[right].inclusive.change());
                     });
    for (const std::uint32_t child : children_[node]) {
      add(child, depth + 1);
    }
  }

  const Difference& of_;
  double least_;
  std::vector<std::vector<std::uint32_t>> children_;
  std::string text_;
};

std::string tree(const Difference& difference, double share) {
  const double least = share * static_cast<double>(difference.total.a);
  return fmt::format("{:>10}{:>10}{:>10}  call tree with all below; from {:.1f} on\n{}", "A", "B",
                     "B - A", least / static_cast<double>(difference.divisor),
                     TreeText(difference, least).text());
}

std::string kernel_line(char side, const Subject& subject) {
  return fmt::format("{}  {}\n", side, fitted(subject.kernel.release, kColumns - 3));
}

std::string percent(const Pair& total) {
  return total.a == 0 ? ""
                      : fmt::format("{:+.3f} %", 100 * static_cast<double>(total.change()) /
                                                     static_cast<double>(total.a));
}

std::string phase_text(const Difference& difference, const TextLimits& limits) {
  const Pair kernel{difference.total.a - difference.user.a, difference.total.b - difference.user.b};
  return fmt::format(
      "Phase {}: instructions per {}, {} and {} rounds, {}\n"
      "(counted in an emulator: the length of the path, not its time)\n\n{}{}\n{}\n{}\n{}",
      difference.phase, difference.noun, difference.a.rounds, difference.b.rounds,
      percent(difference.total), head("where"),
      table({{"user space", difference.user}, {"kernel", kernel}}, difference.divisor),
      function_table(difference, limits.functions), inclusive_table(difference, limits.inclusive),
      tree(difference, limits.tree_share));
}

}  // namespace

std::string difference_text(std::span<const Difference> phases, const TextLimits& limits) {
  if (phases.empty()) {
    return {};
  }
  const Difference& first = phases.front();
  std::string text =
      fmt::format("{} {}: where the instructions went\n\n{}{}", first.a.workload,
                  first.a.parameters, kernel_line('A', first.a), kernel_line('B', first.b));
  for (const Difference& phase : phases) {
    text += "\n" + phase_text(phase, limits);
  }
  return text;
}

std::string difference_brief(std::span<const Difference> phases, std::size_t functions) {
  std::string text;
  for (const Difference& phase : phases) {
    text += fmt::format("{}Phase {}: instructions per {} in an emulator, {}\n{}",
                        text.empty() ? "" : "\n", phase.phase, phase.noun, percent(phase.total),
                        function_table(phase, functions));
  }
  return text;
}

}  // namespace msgring::profile
