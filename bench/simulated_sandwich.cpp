// SPDX-License-Identifier: MIT
// Simulated boots: a normal boot mean, resampled residuals within.
#include "simulated_sandwich.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

namespace msgring::bench {
namespace {

// Residuals of the report's 45 rounds, each over its own boot's deviation, scaled to unit variance.
constexpr std::array<double, 45> kResiduals = {
    0.4062,  -0.5299, -0.9025, -0.2953, -0.4278, -0.9378, -0.7942, -0.3939, 0.5715,
    -0.0618, -0.7921, -0.8714, 1.6751,  0.7669,  2.5870,  0.1229,  -0.0137, -0.2473,
    0.2680,  -0.3121, 1.3900,  -0.3801, 0.2451,  -0.6778, 1.5206,  0.6199,  -1.2205,
    -1.7014, -1.3884, 1.7748,  1.5069,  -0.8313, -0.7943, -0.5292, -0.0142, -0.1308,
    -0.3293, -1.3397, -0.6965, -0.5328, 1.7126,  0.5059,  0.6544,  1.9068,  -1.0884};

double normal(stats::SplitMix64& random) {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - random.uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * random.uniform());
}

template <typename Values>
double pick(const Values& values, stats::SplitMix64& random) {
  return values[random.below(static_cast<std::uint32_t>(values.size()))];
}

}  // namespace

Noise noise_of_reported_shape() {
  return {"4096 slots", {0.00705, 0.00289, 0.00340, 0.01071, 0.00478, 0.00907}};
}

Noise noise_of_small_tables() {
  return {"64 to 1024 slots",
          {0.01161, 0.04511, 0.01817, 0.03812, 0.02261, 0.04063, 0.01687, 0.00366, 0.00939}};
}

Noise noise_of_all_boots() {
  Noise all{"all boots seen", noise_of_reported_shape().round_cv};
  for (const double cv : noise_of_small_tables().round_cv) {
    all.round_cv.push_back(cv);
  }
  return all;
}

Noise noise_between_boots() { return {"restless boots", {0.003}, 0.005}; }

stats::Contrast simulate(const Noise& noise, std::string_view order, std::size_t rounds,
                         double effect, stats::SplitMix64& random) {
  stats::Contrast contrast{"simulated", {}, {}, stats::Replication::kBoots};
  for (const char role : order) {
    const double truth = role == order.front() ? 100.0 : 100.0 * (1.0 + effect);
    const double boot_mean = truth * (1.0 + noise.boot_sd * normal(random));
    const double cv = pick(noise.round_cv, random);
    stats::Boot boot{fmt::format("{}{}", role, contrast.baseline.size()), {}, {}};
    for (std::size_t i = 0; i < rounds; ++i) {
      boot.rounds.push_back(boot_mean * (1.0 + cv * pick(kResiduals, random)));
    }
    (role == order.front() ? contrast.baseline : contrast.changed).push_back(std::move(boot));
  }
  return contrast;
}

}  // namespace msgring::bench
