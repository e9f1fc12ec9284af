// SPDX-License-Identifier: MIT
// Roles of a contrast, summarized; and the same contrast cut up by seed.
#pragma once

#include <string>
#include <vector>

#include "msgring/stats/contrast.hpp"

namespace msgring::stats {

/// Means, drift and boot summaries of one role's boots, which must not be empty.
RoleSummary summarize_role(const std::vector<Boot>& boots, Replication replication);

/// The rounds of each boot, as the bootstrap takes them.
RoleRounds rounds_of(const std::vector<Boot>& boots);

/// One seed's own sandwich.
struct SeedSandwich {
  std::string seed;
  std::vector<Boot> baseline;
  std::vector<Boot> changed;
};

/// The contrast by seed, in order of appearance. A seed that lacks a role has it empty.
std::vector<SeedSandwich> sandwiches_of(const Contrast& contrast);

/// Mean of the boots' means; `skip` leaves out that many first rounds of each boot.
double role_mean(const std::vector<Boot>& boots, std::size_t skip);

}  // namespace msgring::stats
