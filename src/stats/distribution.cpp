// SPDX-License-Identifier: MIT
// Quantiles, BCa and p-values of resampled deltas; Student's interval for few of them.
#include "msgring/stats/distribution.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "msgring/stats/summary.hpp"

namespace msgring::stats {
namespace {

double quantile_of_normal(double probability) {
  return quantile(boost::math::normal(), probability);
}

double clamp_probability(double probability, std::size_t n) {
  const double step = 1.0 / (static_cast<double>(n) + 1.0);
  return std::clamp(probability, step, 1.0 - step);
}

}  // namespace

Distribution::Distribution(std::vector<double> resampled, double estimate, double acceleration)
    : sorted_(std::move(resampled)),
      estimate_(estimate),
      acceleration_(acceleration),
      standard_error_(summarize(sorted_).sd) {
  std::sort(sorted_.begin(), sorted_.end());
}

double Distribution::quantile(double probability) const {
  // Of n values, the k-th stands at k / (n + 1); linear between.
  const double position = probability * (static_cast<double>(sorted_.size()) + 1.0) - 1.0;
  const auto last = static_cast<double>(sorted_.size() - 1);
  const double bounded = std::clamp(position, 0.0, last);
  const auto lower = static_cast<std::size_t>(bounded);
  const std::size_t upper = std::min(lower + 1, sorted_.size() - 1);
  const double part = bounded - static_cast<double>(lower);
  return sorted_[lower] + part * (sorted_[upper] - sorted_[lower]);
}

Interval Distribution::percentile(double level) const {
  const double tail = (1.0 - level) / 2.0;
  return {quantile(tail), quantile(1.0 - tail)};
}

Interval Distribution::bca(double level) const {
  const auto below = std::lower_bound(sorted_.begin(), sorted_.end(), estimate_);
  const auto above = std::upper_bound(below, sorted_.end(), estimate_);
  const double share =
      (static_cast<double>(below - sorted_.begin()) + static_cast<double>(above - below) / 2.0) /
      static_cast<double>(sorted_.size());
  const double bias = quantile_of_normal(clamp_probability(share, sorted_.size()));
  const auto corrected = [&](double probability) {
    const double z = bias + quantile_of_normal(probability);
    const double denominator = 1.0 - acceleration_ * z;
    // Beyond this the correction is no longer monotonic and the sample says nothing.
    const double adjusted = denominator > 0.1 ? bias + z / denominator : bias + z;
    return quantile(cdf(boost::math::normal(), adjusted));
  };
  const double tail = (1.0 - level) / 2.0;
  return {corrected(tail), corrected(1.0 - tail)};
}

double Distribution::p_value(double margin) const {
  const double bound = std::abs(margin);
  const auto begin = sorted_.begin();
  const auto end = sorted_.end();
  const std::ptrdiff_t contrary = estimate_ >= 0.0 ? std::upper_bound(begin, end, bound) - begin
                                                   : end - std::lower_bound(begin, end, -bound);
  const double share =
      (static_cast<double>(contrary) + 1.0) / (static_cast<double>(sorted_.size()) + 1.0);
  return std::min(1.0, 2.0 * share);
}

Interval student_interval(const std::vector<double>& deltas, double level) {
  const Summary summary = summarize(deltas);
  const auto n = static_cast<double>(summary.n);
  const boost::math::students_t student(n - 1.0);
  const double half = quantile(student, 0.5 + level / 2.0) * summary.sd / std::sqrt(n);
  return {summary.mean - half, summary.mean + half};
}

double student_p_value(const std::vector<double>& deltas) {
  const Summary summary = summarize(deltas);
  if (!(summary.sd > 0.0)) {
    return summary.mean == 0.0 ? 1.0 : 0.0;
  }
  const auto n = static_cast<double>(summary.n);
  const double t = std::abs(summary.mean) / (summary.sd / std::sqrt(n));
  return 2.0 * cdf(complement(boost::math::students_t(n - 1.0), t));
}

}  // namespace msgring::stats
