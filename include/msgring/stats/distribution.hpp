// SPDX-License-Identifier: MIT
// The bootstrap distribution of a delta, and what is read off it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace msgring::stats {

/// Ends of an interval, fractions of the baseline like the delta itself.
struct Interval {
  double low = 0.0;
  double high = 0.0;
  bool operator==(const Interval&) const = default;
};

/// Costs per round of the boots of one role: `[boot][round]`.
using RoleRounds = std::vector<std::vector<double>>;

/// Resampled deltas. Immutable; deterministic for its inputs and seed.
class Distribution {
 public:
  /// `resampled` in any order, at least one; `estimate` is the delta of the data itself;
  /// `acceleration` is BCa's, from a jackknife.
  Distribution(std::vector<double> resampled, double estimate, double acceleration);

  /// Central interval between the (1 -+ level)/2 quantiles of the resampled deltas.
  Interval percentile(double level) const;
  /// Bias-corrected and accelerated interval (Efron 1987).
  Interval bca(double level) const;
  /// Two-sided: how often a resampled delta is on the other side of 0, or within `margin` of it;
  /// never below 2 / (resamples + 1).
  double p_value(double margin) const;
  double standard_error() const noexcept { return standard_error_; }

 private:
  double quantile(double probability) const;

  std::vector<double> sorted_;
  double estimate_;
  double acceleration_;
  double standard_error_;
};

/// Hierarchical bootstrap of mean(changed) / mean(baseline) - 1, where a role's mean is the mean of
/// its boots' means: boots are drawn with replacement, then rounds within each drawn boot. A role
/// of k >= 2 boots has its deviation stretched by sqrt(k / (k - 1)), since few boots understate
/// their own spread (Davison and Hinkley 1997, 2.5); a role of one boot has only its rounds to draw
/// from. Every boot must have at least one round, every role one boot.
Distribution bootstrap_delta(const RoleRounds& baseline, const RoleRounds& changed,
                             std::size_t resamples, std::uint64_t seed);

/// Bootstrap of the mean of `deltas`, one per seed of an emulated machine; at least one.
Distribution bootstrap_mean(const std::vector<double>& deltas, std::size_t resamples,
                            std::uint64_t seed);

/// Student's interval for the mean of `deltas` (n - 1 degrees of freedom; at least two): three
/// seeds are too few for a bootstrap to reach 95 %.
Interval student_interval(const std::vector<double>& deltas, double level);
/// Its two-sided p-value against 0. 0 if all deltas are equal and not 0, 1 if all are 0.
double student_p_value(const std::vector<double>& deltas);

}  // namespace msgring::stats
