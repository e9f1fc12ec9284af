// SPDX-License-Identifier: MIT
// Splits of sorted rounds, and spreads within boots.
#include "msgring/stats/shape.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "msgring/stats/summary.hpp"

namespace msgring::stats {
namespace {

constexpr double kSeparation = 8.0;    // Ashman's D
constexpr double kMinDistance = 0.01;  // of the mean: closer modes decide nothing here
constexpr std::size_t kMinRounds = 5;

// Root mean square of the boots' cv; 0 if a boot has too few rounds to say.
double relative_spread(const RoleRounds& boots) {
  double squares = 0.0;
  for (const auto& rounds : boots) {
    if (rounds.size() < kMinRounds) {
      return 0.0;
    }
    const double cv = summarize(rounds).cv;
    squares += cv * cv / static_cast<double>(boots.size());
  }
  return std::sqrt(squares);
}

}  // namespace

std::optional<TwoModes> find_two_modes(std::span<const double> rounds) {
  if (rounds.size() < kMinRounds) {
    return std::nullopt;
  }
  std::vector<double> sorted(rounds.begin(), rounds.end());
  std::sort(sorted.begin(), sorted.end());
  const std::span<const double> all(sorted);
  // The widest gap is where two clouds part; any other split keeps a part of one in the other.
  const std::size_t least = std::max<std::size_t>(2, sorted.size() / 5);
  std::size_t split = least;
  for (std::size_t i = least; i + least <= sorted.size(); ++i) {
    if (sorted[i] - sorted[i - 1] > sorted[split] - sorted[split - 1]) {
      split = i;
    }
  }
  const Summary lower = summarize(all.first(split));
  const Summary upper = summarize(all.subspan(split));
  const double distance = upper.mean - lower.mean;
  const double within = std::sqrt((lower.sd * lower.sd + upper.sd * upper.sd) / 2.0);
  if (distance < kMinDistance * summarize(all).mean || distance <= kSeparation * within) {
    return std::nullopt;
  }
  return TwoModes{lower.mean, upper.mean,
                  static_cast<double>(upper.n) / static_cast<double>(sorted.size())};
}

std::optional<double> spread_ratio(const RoleRounds& baseline, const RoleRounds& changed) {
  const double first = relative_spread(baseline);
  const double second = relative_spread(changed);
  if (!(first > 0.0) || !(second > 0.0)) {
    return std::nullopt;
  }
  return std::max(first, second) / std::min(first, second);
}

}  // namespace msgring::stats
