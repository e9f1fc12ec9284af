// SPDX-License-Identifier: MIT
// Points for tests: what msgring_bench would write for one boot of one kernel.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "msgring/point/point.hpp"

namespace msgring::testing_points {

/// One phase of the only workload, `register_fill slots:64`.
struct PhaseCost {
  std::string name;
  std::string noun;
  double cost;  ///< of one operation, before the rounds' spread
};

/// A boot to be made up.
struct Recipe {
  std::string name;                ///< file "<name>.json", boot_id, label
  std::string kernel = "6.12.95";  ///< release, version and build id follow from it
  double factor = 1.0;             ///< on every cost
  int rounds = 15;
  host::Unit unit = host::Unit::kNanoseconds;
  std::string seed = {};  ///< of the emulated machine
  std::vector<PhaseCost> phases = {{"fill", "install", 100.0}};
  std::vector<std::pair<std::string, std::string>> facts = {};  ///< replace or add to the context
};

/// A sound point: rounds alternate by +-0.2 % about their cost, all checks passed.
point::Point make_point(const Recipe& recipe);

/// A, B, A: kernel 6.12.95 against 7.1.3, B dearer by `effect`.
std::vector<point::Point> sandwich(double effect);

}  // namespace msgring::testing_points
