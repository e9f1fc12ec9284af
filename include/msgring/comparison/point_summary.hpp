// SPDX-License-Identifier: MIT
// One point, summarized: what its rounds say before anything is compared.
#pragma once

#include <string>
#include <vector>

#include "msgring/point/point.hpp"
#include "msgring/stats/summary.hpp"

namespace msgring::comparison {

/// One phase of one benchmark of a point.
struct PhaseSummary {
  std::string title;  ///< `first_fill slots:4096 batch:64`
  point::Phase phase;
  stats::Summary cost;      ///< per operation, over the valid rounds
  std::size_t invalid = 0;  ///< rounds that are no samples
};

/// Every phase of every benchmark, in file order.
std::vector<PhaseSummary> summarize_point(const point::Point& point);

}  // namespace msgring::comparison
