// SPDX-License-Identifier: MIT
// Which point stands on which side.
#pragma once

#include <string>
#include <vector>

#include "msgring/comparison/comparison.hpp"

namespace msgring::comparison {

/// Throws Error unless every point has a role, at least two roles exist, and `against` is one.
void check_plan(const std::vector<point::Point>& points, const Plan& plan);

/// Throws Error (kInvalid) if one file stands for two points, or units are mixed.
void check_sources(const std::vector<point::Point>& points);

/// The points without their rounds; labels made unique by the role and a number ("A1") where files
/// have one name.
std::vector<PointFacts> facts_of(const std::vector<point::Point>& points, const Plan& plan);

/// The distinct roles in order of appearance, the baseline included.
std::vector<std::string> distinct_roles(const std::vector<std::string>& roles);

}  // namespace msgring::comparison
