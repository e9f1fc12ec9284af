// SPDX-License-Identifier: MIT
// What one boot's rounds look like.
#pragma once

#include <cstddef>
#include <span>

namespace msgring::stats {

/// Location and spread of rounds, in the rounds' unit. `cv` is sd / mean, a fraction; sd is the
/// sample's (n - 1) and, like cv, 0 for a single round.
struct Summary {
  std::size_t n = 0;
  double mean = 0.0;
  double median = 0.0;
  double sd = 0.0;
  double cv = 0.0;
  double min = 0.0;
  double max = 0.0;
};

/// Summarizes rounds; all zero for none. Sums from left to right, so that equal rounds give equal
/// summaries to the last bit.
Summary summarize(std::span<const double> rounds);

/// The same without the first round, which pays for cold caches; all zero for a single round.
Summary summarize_without_first(std::span<const double> rounds);

}  // namespace msgring::stats
