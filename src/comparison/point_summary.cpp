// SPDX-License-Identifier: MIT
// Summaries of a single point.
#include "msgring/comparison/point_summary.hpp"

#include <algorithm>

namespace msgring::comparison {
namespace {

PhaseSummary summarize_phase(const point::Point& point, const std::string& title,
                             const point::Phase& phase) {
  PhaseSummary summary{title, phase, {}, 0};
  std::vector<double> costs;
  for (const point::Row& row : point.rows) {
    if (title_of(row) != title) {
      continue;
    }
    const auto cost = point::cost_per_operation(row, phase);
    if (row.valid && cost) {
      costs.push_back(*cost);
    } else {
      ++summary.invalid;
    }
  }
  summary.cost = stats::summarize(costs);
  return summary;
}

}  // namespace

std::vector<PhaseSummary> summarize_point(const point::Point& point) {
  std::vector<PhaseSummary> summaries;
  std::vector<std::string> seen;
  for (const point::Row& row : point.rows) {
    const std::string title = title_of(row);
    if (std::find(seen.begin(), seen.end(), title) != seen.end()) {
      continue;
    }
    seen.push_back(title);
    for (const point::Phase& phase : point::phases_of(point, row.workload)) {
      summaries.push_back(summarize_phase(point, title, phase));
    }
  }
  return summaries;
}

}  // namespace msgring::comparison
