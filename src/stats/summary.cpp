// SPDX-License-Identifier: MIT
// Means, medians and sample deviations.
#include "msgring/stats/summary.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace msgring::stats {
namespace {

double median_of(std::span<const double> rounds) {
  std::vector<double> sorted(rounds.begin(), rounds.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2.0;
}

}  // namespace

Summary summarize(std::span<const double> rounds) {
  if (rounds.empty()) {
    return {};
  }
  Summary summary;
  summary.n = rounds.size();
  const auto n = static_cast<double>(summary.n);
  summary.mean = std::accumulate(rounds.begin(), rounds.end(), 0.0) / n;
  summary.median = median_of(rounds);
  const auto [min, max] = std::minmax_element(rounds.begin(), rounds.end());
  summary.min = *min;
  summary.max = *max;
  if (summary.n > 1) {
    double squares = 0.0;
    for (const double round : rounds) {
      squares += (round - summary.mean) * (round - summary.mean);
    }
    summary.sd = std::sqrt(squares / (n - 1.0));
    summary.cv = summary.mean > 0.0 ? summary.sd / summary.mean : 0.0;
  }
  return summary;
}

Summary summarize_without_first(std::span<const double> rounds) {
  return summarize(rounds.empty() ? rounds : rounds.subspan(1));
}

}  // namespace msgring::stats
