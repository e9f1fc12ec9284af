// SPDX-License-Identifier: MIT
// What the tests of the comparison ask of a Comparison.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "msgring/comparison/comparison.hpp"

namespace msgring::comparison {

inline Plan aba() {
  Plan plan;
  plan.roles = {"A", "B", "A"};
  return plan;
}

inline const stats::Gate& gate_of(const Comparison& comparison, std::string_view name) {
  for (const stats::Gate& gate : comparison.identity) {
    if (gate.name == name) {
      return gate;
    }
  }
  throw std::logic_error("no such gate");
}

inline std::vector<std::string> confounds_of(const Comparison& comparison) {
  std::vector<std::string> keys;
  for (const Difference& difference : comparison.differences) {
    if (difference.weight == Weight::kConfound) {
      keys.push_back(difference.key);
    }
  }
  return keys;
}

}  // namespace msgring::comparison
