// SPDX-License-Identifier: MIT
// One point for a person.
#pragma once

#include <string>
#include <vector>

#include "msgring/comparison/point_summary.hpp"
#include "msgring/point/check.hpp"
#include "msgring/report/report.hpp"

namespace msgring::report {

/// What was measured, whether it may be used, and every fact of its context.
std::string point_report(const point::Point& point,
                         const std::vector<comparison::PhaseSummary>& phases,
                         const std::vector<point::Fault>& faults, Colour colour);

}  // namespace msgring::report
