// SPDX-License-Identifier: MIT
// Columns and cells of the results and of the primary's boots.
#include "report/result_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace msgring::report {
namespace {

bool has_two_roles(const Comparison& comparison) { return comparison.roles.size() == 2; }

std::string role_or(const Comparison& comparison, const std::string& role,
                    std::string_view otherwise) {
  return has_two_roles(comparison) ? role : std::string(otherwise);
}

bool has_seeds(const stats::RoleSummary& role) {
  return std::any_of(role.boots.begin(), role.boots.end(),
                     [](const stats::BootSummary& boot) { return !boot.seed.empty(); });
}

enum class SeedColumn { kNone, kShown };

void add_boots(Table& table, const stats::RoleSummary& role, const std::string& name,
               SeedColumn seeds) {
  for (const stats::BootSummary& boot : role.boots) {
    std::vector<std::string> cells = {boot.label,
                                      name,
                                      std::to_string(boot.all.n),
                                      fmt::format("{:.6f}", boot.all.mean),
                                      fmt::format("{:.6f}", boot.all.median),
                                      percent(boot.all.cv, Sign::kPlain),
                                      fmt::format("{:.6f}", boot.without_first.mean)};
    if (seeds == SeedColumn::kShown) {
      cells.push_back(boot.seed.empty() ? "-" : boot.seed);
    }
    table.add_row(std::move(cells));
  }
}

}  // namespace

std::vector<Column> result_columns(const Comparison& comparison) {
  const Entry& primary = comparison.entries.front();
  const std::string unit(host::unit_text(comparison.unit));
  std::vector<Column> columns = {{"phase", Align::kLeft}};
  if (!has_two_roles(comparison)) {
    columns.push_back({"roles", Align::kLeft});
  }
  columns.push_back(
      {fmt::format("{} {}", role_or(comparison, primary.baseline_role, "base"), unit)});
  columns.push_back(
      {fmt::format("{} {}", role_or(comparison, primary.changed_role, "role"), unit)});
  for (const char* header : {"delta %", "low %", "high %", "drift %", "CV %"}) {
    columns.push_back({header});
  }
  columns.push_back({"verdict", Align::kLeft});
  return columns;
}

std::vector<std::string> result_cells(const Comparison& comparison, const Entry& entry) {
  const stats::Result& result = entry.result;
  std::vector<std::string> cells = {
      fmt::format("{}{}", &entry == &comparison.entries.front() ? "* " : "  ", entry.phase.name)};
  if (!has_two_roles(comparison)) {
    cells.push_back(fmt::format("{}/{}", entry.changed_role, entry.baseline_role));
  }
  cells.push_back(cost(result.baseline.mean));
  cells.push_back(cost(result.changed.mean));
  cells.push_back(entry.is_finding ? percent(result.delta) : "-");
  cells.push_back(entry.is_finding ? percent(result.interval.low) : "-");
  cells.push_back(entry.is_finding ? percent(result.interval.high) : "-");
  cells.push_back(drift_text(result));
  cells.push_back(cv_text(result));
  cells.emplace_back(stats::verdict_text(result.verdict));
  return cells;
}

Table result_table(const Comparison& comparison) {
  Table table(result_columns(comparison));
  std::string title;
  for (const Entry& entry : comparison.entries) {
    if (entry.title != title) {
      title = entry.title;
      table.add_row({title});
    }
    table.add_row(result_cells(comparison, entry));
  }
  return table;
}

Table boot_table(const Comparison& comparison) {
  const Entry& primary = comparison.entries.front();
  const std::string unit(host::unit_text(comparison.unit));
  const SeedColumn seeds = has_seeds(primary.result.baseline) || has_seeds(primary.result.changed)
                               ? SeedColumn::kShown
                               : SeedColumn::kNone;
  std::vector<Column> columns = {{"boot", Align::kLeft}, {"role", Align::kLeft}, {"n"},
                                 {"mean " + unit},       {"median " + unit},     {"CV %"},
                                 {"without first"}};
  if (seeds == SeedColumn::kShown) {
    columns.push_back({"seed"});
  }
  Table table(std::move(columns));
  add_boots(table, primary.result.baseline, primary.baseline_role, seeds);
  add_boots(table, primary.result.changed, primary.changed_role, seeds);
  return table;
}

}  // namespace msgring::report
