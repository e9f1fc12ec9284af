// SPDX-License-Identifier: MIT
// May a point be used as evidence at all?
#pragma once

#include <string>
#include <vector>

#include "msgring/point/point.hpp"

namespace msgring::point {

/// One reason why not.
struct Fault {
  std::string place;  ///< `a.json:57` or `a.json: context`
  std::string what;   ///< one line
  bool operator==(const Fault&) const = default;
};

/// Every fault of a point, in file order; empty means it may be compared. Looks at the schema, the
/// identity that a comparison needs, completeness, failed rows, every `check.*` counter, one row
/// per round, and units. A debug build of the benchmark library counts only where its own clock
/// was used: with manual time it is harmless.
std::vector<Fault> check_point(const Point& point);

}  // namespace msgring::point
