// SPDX-License-Identifier: MIT
// The resampling loops, and the jackknife that BCa's acceleration needs.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "msgring/stats/distribution.hpp"
#include "msgring/stats/random.hpp"
#include "msgring/stats/summary.hpp"

namespace msgring::stats {
namespace {

double mean_of(const std::vector<double>& values) { return summarize(values).mean; }

// One role laid out for the loop: rounds of all boots in one row, no pointer to follow per draw.
class RoleSampler {
 public:
  explicit RoleSampler(const RoleRounds& boots) {
    for (const auto& rounds : boots) {
      first_.push_back(static_cast<std::uint32_t>(rounds_.size()));
      count_.push_back(static_cast<std::uint32_t>(rounds.size()));
      rounds_.insert(rounds_.end(), rounds.begin(), rounds.end());
      mean_ += mean_of(rounds) / static_cast<double>(boots.size());
    }
    const auto k = static_cast<double>(boots.size());
    stretch_ = boots.size() > 1 ? std::sqrt(k / (k - 1.0)) : 1.0;
  }

  double mean() const { return mean_; }

  double draw(SplitMix64& random) const {
    double sum = 0.0;
    const auto boots = static_cast<std::uint32_t>(first_.size());
    for (std::uint32_t i = 0; i < boots; ++i) {
      sum += draw_boot(random, boots > 1 ? random.below(boots) : 0);
    }
    return mean_ + stretch_ * (sum / boots - mean_);
  }

 private:
  double draw_boot(SplitMix64& random, std::uint32_t boot) const {
    const double* rounds = rounds_.data() + first_[boot];
    const std::uint32_t count = count_[boot];
    double sum = 0.0;
    for (std::uint32_t i = 0; i < count; ++i) {
      sum += rounds[random.below(count)];
    }
    return sum / count;
  }

  std::vector<double> rounds_;
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> count_;
  double mean_ = 0.0;
  double stretch_ = 1.0;
};

// What a role's jackknife leaves out in turn: boots, or the rounds of a single boot.
std::vector<double> jackknife_units(const RoleRounds& boots) {
  if (boots.size() == 1) {
    return boots.front();
  }
  std::vector<double> means;
  std::transform(boots.begin(), boots.end(), std::back_inserter(means), mean_of);
  return means;
}

std::vector<double> leave_one_out_means(const std::vector<double>& units) {
  const double sum = std::accumulate(units.begin(), units.end(), 0.0);
  std::vector<double> means;
  if (units.size() > 1) {
    for (const double unit : units) {
      means.push_back((sum - unit) / static_cast<double>(units.size() - 1));
    }
  }
  return means;
}

// Sums over one sample's influences u of u^2 / n^2 and u^3 / n^3; the acceleration of several
// samples adds them up (Efron and Tibshirani 1993, 14.3).
struct InfluenceSums {
  double squares = 0.0;
  double cubes = 0.0;

  void add(const std::vector<double>& left_out) {
    if (left_out.empty()) {
      return;
    }
    const auto n = static_cast<double>(left_out.size());
    const double center = mean_of(left_out);
    for (const double value : left_out) {
      const double influence = (n - 1.0) * (center - value) / n;
      squares += influence * influence;
      cubes += influence * influence * influence;
    }
  }

  double acceleration() const {
    return squares > 0.0 ? cubes / (6.0 * std::pow(squares, 1.5)) : 0.0;
  }
};

double delta_acceleration(const RoleRounds& baseline, const RoleRounds& changed,
                          double baseline_mean, double changed_mean) {
  std::vector<double> without_baseline = leave_one_out_means(jackknife_units(baseline));
  std::vector<double> without_changed = leave_one_out_means(jackknife_units(changed));
  for (double& mean : without_baseline) {
    mean = changed_mean / mean - 1.0;
  }
  for (double& mean : without_changed) {
    mean = mean / baseline_mean - 1.0;
  }
  InfluenceSums sums;
  sums.add(without_baseline);
  sums.add(without_changed);
  return sums.acceleration();
}

}  // namespace

Distribution bootstrap_delta(const RoleRounds& baseline, const RoleRounds& changed,
                             std::size_t resamples, std::uint64_t seed) {
  const RoleSampler baseline_sampler(baseline);
  const RoleSampler changed_sampler(changed);
  SplitMix64 random(seed);
  std::vector<double> deltas(resamples);
  for (double& delta : deltas) {
    const double denominator = baseline_sampler.draw(random);
    delta = changed_sampler.draw(random) / denominator - 1.0;
  }
  return {std::move(deltas), changed_sampler.mean() / baseline_sampler.mean() - 1.0,
          delta_acceleration(baseline, changed, baseline_sampler.mean(), changed_sampler.mean())};
}

Distribution bootstrap_mean(const std::vector<double>& deltas, std::size_t resamples,
                            std::uint64_t seed) {
  const RoleSampler sampler({deltas});
  SplitMix64 random(seed);
  std::vector<double> means(resamples);
  std::generate(means.begin(), means.end(), [&] { return sampler.draw(random); });
  InfluenceSums sums;
  sums.add(leave_one_out_means(deltas));
  return {std::move(means), sampler.mean(), sums.acceleration()};
}

}  // namespace msgring::stats
