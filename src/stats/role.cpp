// SPDX-License-Identifier: MIT
// Boot means, drifts, and which boots share a seed.
#include "stats/role.hpp"

#include <algorithm>
#include <cmath>

namespace msgring::stats {
namespace {

double relative_change(const Boot& first, const Boot& last) {
  return summarize(last.rounds).mean / summarize(first.rounds).mean - 1.0;
}

std::optional<double> drift_of(const std::vector<Boot>& boots) {
  if (boots.size() < 2) {
    return std::nullopt;
  }
  return relative_change(boots.front(), boots.back());
}

// The drift farthest from 0 within any seed's own boots.
std::optional<double> largest_drift_over_seeds(const std::vector<Boot>& boots) {
  const Contrast one_role{{}, boots, {}, Replication::kSeeds};
  std::optional<double> largest;
  for (const SeedSandwich& sandwich : sandwiches_of(one_role)) {
    const std::optional<double> drift = drift_of(sandwich.baseline);
    if (drift && (!largest || std::abs(*drift) > std::abs(*largest))) {
      largest = drift;
    }
  }
  return largest;
}

SeedSandwich& sandwich_for(std::vector<SeedSandwich>& sandwiches, const std::string& seed) {
  const auto found = std::find_if(sandwiches.begin(), sandwiches.end(),
                                  [&](const SeedSandwich& one) { return one.seed == seed; });
  return found != sandwiches.end() ? *found : sandwiches.emplace_back(SeedSandwich{seed, {}, {}});
}

}  // namespace

double role_mean(const std::vector<Boot>& boots, std::size_t skip) {
  double sum = 0.0;
  for (const Boot& boot : boots) {
    const std::span<const double> rounds(boot.rounds);
    sum += summarize(rounds.subspan(std::min(skip, rounds.size() - 1))).mean;
  }
  return sum / static_cast<double>(boots.size());
}

RoleSummary summarize_role(const std::vector<Boot>& boots, Replication replication) {
  RoleSummary role;
  for (const Boot& boot : boots) {
    role.boots.push_back(
        {boot.label, boot.seed, summarize(boot.rounds), summarize_without_first(boot.rounds)});
  }
  role.mean = role_mean(boots, 0);
  role.mean_without_first = role_mean(boots, 1);
  role.drift =
      replication == Replication::kBoots ? drift_of(boots) : largest_drift_over_seeds(boots);
  return role;
}

RoleRounds rounds_of(const std::vector<Boot>& boots) {
  RoleRounds rounds;
  std::transform(boots.begin(), boots.end(), std::back_inserter(rounds),
                 [](const Boot& boot) { return boot.rounds; });
  return rounds;
}

std::vector<SeedSandwich> sandwiches_of(const Contrast& contrast) {
  std::vector<SeedSandwich> sandwiches;
  for (const Boot& boot : contrast.baseline) {
    sandwich_for(sandwiches, boot.seed).baseline.push_back(boot);
  }
  for (const Boot& boot : contrast.changed) {
    sandwich_for(sandwiches, boot.seed).changed.push_back(boot);
  }
  return sandwiches;
}

}  // namespace msgring::stats
