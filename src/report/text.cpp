// SPDX-License-Identifier: MIT
// The report for a terminal.
#include <fmt/format.h>

#include <algorithm>

#include "msgring/report/report.hpp"
#include "msgring/report/table.hpp"
#include "report/painter.hpp"
#include "report/result_table.hpp"
#include "report/words.hpp"

namespace msgring::report {
namespace {

constexpr std::size_t kWidth = 100;

// Colours the first word, which names the verdict, after the lines have been broken.
std::string painted_sentence(const Comparison& comparison, const Painter& painter) {
  const std::string text = wrap(verdict_sentence(comparison) + ".", kWidth);
  const std::string word(stats::verdict_text(comparison.verdict));
  return painter.verdict(word, comparison.verdict) + text.substr(word.size());
}

std::string gates_text(const Comparison& comparison) {
  std::string out;
  for (const GateLine& line : gate_lines(comparison)) {
    const std::string head =
        fmt::format("  {:<7}  {:<19}  ", gate_state_text(line.state), line.name);
    out += wrap(line.figure, kWidth, head, std::string(head.size(), ' '));
    if (!line.advice.empty() && line.state != stats::GateState::kPassed) {
      out += wrap("to do: " + line.advice, kWidth, std::string(head.size(), ' '),
                  std::string(head.size(), ' '));
    }
  }
  return out;
}

std::string differences_text(const Comparison& comparison, comparison::Weight weight) {
  std::string out;
  for (const comparison::Difference& difference : comparison.differences) {
    if (difference.weight == weight) {
      out += wrap(difference_text(comparison, difference), kWidth, "  ", "    ");
    }
  }
  return out;
}

std::string bullet_lines(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) {
    out += wrap(line, kWidth, "  ", "    ");
  }
  return out;
}

std::string section(const std::string& title, const std::string& body, const Painter& painter) {
  return body.empty() ? std::string() : fmt::format("\n{}\n{}", painter.heading(title), body);
}

}  // namespace

std::string text_report(const Comparison& comparison, Colour colour, Sections sections) {
  const Painter painter(colour);
  std::string out;
  for (const std::string& caveat : comparison.caveats) {
    out += wrap(caveat, kWidth);
  }
  out += painted_sentence(comparison, painter);
  const std::string family = family_sentence(comparison);
  if (!family.empty()) {
    out += wrap(family + ".", kWidth);
  }
  out += '\n' + result_table(comparison).render();
  out += section("Boots of the primary comparison", boot_table(comparison).render("  "), painter);
  out += section("Gates", gates_text(comparison), painter);
  out += section("Doubts", bullet_lines(doubt_lines(comparison)), painter);
  out +=
      section("Under test", differences_text(comparison, comparison::Weight::kUnderTest), painter);
  out += section("Must not differ", differences_text(comparison, comparison::Weight::kBlocks),
                 painter);
  out += section("Differs too",
                 differences_text(comparison, comparison::Weight::kConfound) +
                     differences_text(comparison, comparison::Weight::kListed),
                 painter);
  out += section("Method", bullet_lines(method_lines(comparison)), painter);
  for (const Section& more : sections) {
    out += section(more.title, indented(more.brief, "  "), painter);
  }
  return out;
}

}  // namespace msgring::report
