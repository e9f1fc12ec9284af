// SPDX-License-Identifier: MIT
// Rounds that are not one cloud: two modes, or two roles of very different spread.
#pragma once

#include <optional>
#include <span>

#include "msgring/stats/distribution.hpp"

namespace msgring::stats {

/// Two clouds of rounds within a boot.
struct TwoModes {
  double lower_mean;
  double upper_mean;
  double upper_share;  ///< of the rounds, a fraction
};

/// Finds two modes: a split of the sorted rounds whose halves (each a fifth of the rounds or more,
/// at least two) lie 1 % of the mean and 8 within-mode standard deviations apart (Ashman's D).
/// Rounds of one normal cloud are split so in less than 1 of 100 boots (bench/calibration says how
/// often).
std::optional<TwoModes> find_two_modes(std::span<const double> rounds);

/// Spread within boots of the wilder role over that of the calmer one, both relative to their
/// means; nothing if either has no spread or fewer than five rounds per boot.
std::optional<double> spread_ratio(const RoleRounds& baseline, const RoleRounds& changed);

}  // namespace msgring::stats
