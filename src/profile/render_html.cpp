// SPDX-License-Identifier: MIT
// The difference as one HTML page with a differential flame graph.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "msgring/profile/render.hpp"
#include "msgring/report/markup.hpp"
#include "profile/rounding.hpp"

namespace msgring::profile {
namespace {

constexpr double kWidth = 1200;
constexpr double kRowHeight = 17;
constexpr double kLetterWidth = 6.6;
/// Frames narrower than this are left out; they could not be seen.
constexpr double kNarrowest = 0.4;

double per_operation(std::int64_t value, const Difference& difference) {
  return static_cast<double>(value) / static_cast<double>(difference.divisor);
}

/// White for no change; red where B needs more, blue where it needs less, full at a quarter of the
/// whole change.
std::string colour(const Pair& pair, const Difference& difference) {
  const double whole = std::max(1.0, std::abs(static_cast<double>(difference.total.change())));
  const double share = static_cast<double>(pair.change()) / whole;
  const int fade = 255 - static_cast<int>(std::lround(175 * std::min(1.0, 4 * std::abs(share))));
  return share >= 0 ? fmt::format("rgb(255,{0},{0})", fade) : fmt::format("rgb({0},{0},255)", fade);
}

/// Draws frames below each other; the width is the larger of both sides, so that what only one side
/// has can be seen too.
class FlameGraph {
 public:
  explicit FlameGraph(const Difference& difference) : of_(difference) {
    widths_.resize(of_.nodes.size());
    children_.resize(of_.nodes.size());
    for (std::size_t i = of_.nodes.size(); i-- > 0;) {
      const Pair& self = of_.nodes[i].self;
      widths_[i] += static_cast<double>(std::max(self.a, self.b));
      if (i != 0) {
        widths_[of_.nodes[i].parent] += widths_[i];
        children_[of_.nodes[i].parent].push_back(i);
      }
    }
  }

  std::string svg() {
    draw(0, 0, 0);
    const double height = kRowHeight * static_cast<double>(depth_ + 1);
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"100%\" "
        "font-family=\"monospace\" font-size=\"11\" role=\"img\">\n<title>Differential flame "
        "graph: "
        "width is instructions, red is more in B, blue is less</title>\n{2}</svg>\n",
        kWidth, height, body_);
  }

 private:
  double scaled(double width) const { return widths_[0] > 0 ? kWidth * width / widths_[0] : 0; }

  void draw(std::size_t node, double left, std::size_t depth) {
    const double width = scaled(widths_[node]);
    if (width < kNarrowest) {
      return;
    }
    depth_ = std::max(depth_, depth);
    draw_frame(of_.nodes[node], left, width, depth);
    std::vector<std::size_t> children = children_[node];
    std::sort(children.begin(), children.end(), [&](std::size_t first, std::size_t second) {
      return of_.nodes[first].name < of_.nodes[second].name;
    });
    for (const std::size_t child : children) {
      draw(child, left, depth + 1);
      left += scaled(widths_[child]);
    }
  }

  void draw_frame(const DifferenceNode& node, double left, double width, std::size_t depth) {
    const double top = kRowHeight * static_cast<double>(depth);
    const auto letters = static_cast<std::size_t>(std::max(0.0, (width - 4) / kLetterWidth));
    body_ += fmt::format(
        "<g><title>{}: A {:.1f}, B {:.1f}, {:+.1f} per {}</title><rect x=\"{:.2f}\" y=\"{:.0f}\" "
        "width=\"{:.2f}\" height=\"{:.0f}\" fill=\"{}\" stroke=\"#888\" stroke-width=\"0.3\"/>",
        report::markup_escaped(node.name), per_operation(node.inclusive.a, of_),
        per_operation(node.inclusive.b, of_), per_operation(node.inclusive.change(), of_),
        report::markup_escaped(of_.noun), left, top, width, kRowHeight - 1,
        colour(node.inclusive, of_));
    if (letters >= 3) {
      body_ += fmt::format(R"(<text x="{:.2f}" y="{:.0f}">{}</text>)", left + 2, top + 12,
                           report::markup_escaped(node.name.substr(0, letters)));
    }
    body_ += "</g>\n";
  }

  const Difference& of_;
  std::vector<double> widths_;
  std::vector<std::vector<std::size_t>> children_;
  std::size_t depth_ = 0;
  std::string body_;
};

std::string row_html(std::string_view name, const Pair& value, const Difference& difference) {
  return fmt::format("<tr><td>{}</td><td>{:.1f}</td><td>{:.1f}</td><td>{:+.1f}</td></tr>\n",
                     report::markup_escaped(name), per_operation(value.a, difference),
                     per_operation(value.b, difference), per_operation(value.change(), difference));
}

std::string table_html(const Difference& difference) {
  std::string rows = row_html("total", difference.total, difference);
  for (const FunctionRow& row : difference.functions) {
    if (tenth(row.self.change(), difference.divisor) == 0) {
      break;
    }
    const std::string_view mark = row.sides == Sides::kOnlyA   ? " (only A)"
                                  : row.sides == Sides::kOnlyB ? " (only B)"
                                                               : "";
    rows += row_html(row.name + std::string(mark), row.self, difference);
  }
  return "<table><tr><th>function</th><th>A</th><th>B</th><th>B - A</th></tr>\n" + rows +
         "</table>\n";
}

constexpr std::string_view kStyle =
    "body{font-family:sans-serif;max-width:80em;margin:2em auto;padding:0 1em}"
    "td,th{padding:.1em .8em;text-align:right}td:first-child,th:first-child{text-align:left}"
    "table{font-family:monospace;border-collapse:collapse}tr:nth-child(even){background:#f4f4f4}";

}  // namespace

std::string flame_graph_svg(const Difference& difference) { return FlameGraph(difference).svg(); }

std::string difference_html(std::span<const Difference> phases) {
  std::string body;
  for (const Difference& phase : phases) {
    body += fmt::format(
        "<h2>Phase {}: instructions per {}</h2>\n<p>Counted in an emulator: the length of the "
        "path, not its time. Point at a frame for its figures.</p>\n{}{}",
        report::markup_escaped(phase.phase), report::markup_escaped(phase.noun),
        flame_graph_svg(phase), table_html(phase));
  }
  std::string title = "msgring explain";
  std::string kernels;
  if (!phases.empty()) {
    const Difference& first = phases.front();
    title = fmt::format("{} {}: where the instructions went", first.a.workload, first.a.parameters);
    kernels = fmt::format("<p>A: {}<br>B: {}</p>\n", report::markup_escaped(first.a.kernel.release),
                          report::markup_escaped(first.b.kernel.release));
  }
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>"
      "<style>{1}</style></head><body>\n<h1>{0}</h1>\n{2}{3}</body></html>\n",
      report::markup_escaped(title), kStyle, kernels, body);
}

}  // namespace msgring::profile
