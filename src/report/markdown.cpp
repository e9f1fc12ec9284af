// SPDX-License-Identifier: MIT
// The report for issue trackers and notebooks.
#include <fmt/format.h>

#include "msgring/report/report.hpp"
#include "report/result_table.hpp"
#include "report/words.hpp"

namespace msgring::report {
namespace {

// Text that must not become markup: a pipe ends a cell, the others begin emphasis, code or tags.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\`*_|<>[]").find(c) != std::string_view::npos) {
      out += '\\';
    }
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) {
    line += fmt::format(" {} |", escaped(cell));
  }
  return line + "\n";
}

std::string header(const std::vector<Column>& columns) {
  std::vector<std::string> names;
  std::string rule = "|";
  for (const Column& column : columns) {
    names.push_back(column.header);
    rule += column.align == Align::kRight ? " ---: |" : " --- |";
  }
  return row(names) + rule + "\n";
}

std::string results(const Comparison& comparison) {
  std::vector<Column> columns = result_columns(comparison);
  columns.insert(columns.begin(), {"workload", Align::kLeft});
  std::string out = header(columns);
  for (const Entry& entry : comparison.entries) {
    std::vector<std::string> cells = result_cells(comparison, entry);
    cells.insert(cells.begin(), entry.title);
    out += row(cells);
  }
  return out;
}

std::string gates(const Comparison& comparison) {
  std::string out =
      header({{"gate", Align::kLeft}, {"state", Align::kLeft}, {"figure", Align::kLeft}});
  for (const GateLine& line : gate_lines(comparison)) {
    const std::string advice = line.advice.empty() ? "" : ". To do: " + line.advice;
    out += row({line.name, std::string(gate_state_text(line.state)), line.figure + advice});
  }
  return out;
}

std::string list(const std::string& title, const std::vector<std::string>& lines) {
  if (lines.empty()) {
    return {};
  }
  std::string out = fmt::format("\n### {}\n\n", title);
  for (const std::string& line : lines) {
    out += fmt::format("- {}\n", escaped(line));
  }
  return out;
}

std::vector<std::string> difference_lines(const Comparison& comparison) {
  std::vector<std::string> lines;
  for (const comparison::Difference& difference : comparison.differences) {
    lines.push_back(fmt::format("{} ({})", difference_text(comparison, difference),
                                weight_name(difference.weight)));
  }
  return lines;
}

std::vector<std::string> point_lines(const Comparison& comparison) {
  std::vector<std::string> lines;
  for (const comparison::PointFacts& point : comparison.points) {
    lines.push_back(fmt::format("{}, role {}: {}, SHA-256 {}", point.label, point.role,
                                point.source, point.sha256));
  }
  return lines;
}

}  // namespace

std::string markdown_report(const Comparison& comparison, Sections sections) {
  std::string out = "## Comparison\n\n";
  for (const std::string& caveat : comparison.caveats) {
    out += fmt::format("> {}\n\n", escaped(caveat));
  }
  out += fmt::format("**{}.**\n", escaped(verdict_sentence(comparison)));
  const std::string family = family_sentence(comparison);
  if (!family.empty()) {
    out += fmt::format("{}.\n", escaped(family));
  }
  out += "\n" + results(comparison) + "\n### Gates\n\n" + gates(comparison);
  for (const Section& section : sections) {
    out += fmt::format("\n### {}\n\n```text\n{}```\n", escaped(section.title), section.text);
  }
  out += list("Doubts", doubt_lines(comparison));
  out += list("Differences between the points", difference_lines(comparison));
  out += list("Method", method_lines(comparison));
  out += list("Points", point_lines(comparison));
  return out;
}

}  // namespace msgring::report
