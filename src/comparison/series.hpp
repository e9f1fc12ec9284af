// SPDX-License-Identifier: MIT
// The rounds of all points, sorted into contrasts.
#pragma once

#include <vector>

#include "msgring/comparison/comparison.hpp"

namespace msgring::comparison {

/// One entry for each workload, phase and role that is not the baseline, results still empty, the
/// primary first. A workload's `interval` is left out where another phase is all of it.
/// Throws Error (kInvalid) with file and line for rows that no contrast can be made of.
std::vector<Entry> entries_of(const std::vector<point::Point>& points,
                              const std::vector<PointFacts>& facts, const Plan& plan);

/// Counts the rows' `check.*` counters; the gate says whether all were 0 and every point complete.
CheckTotals count_checks(const std::vector<point::Point>& points);
stats::Gate checks_gate(const std::vector<point::Point>& points, const CheckTotals& totals);

}  // namespace msgring::comparison
