// SPDX-License-Identifier: MIT
// What sets the clock rate of a CPU: governor, energy preference, driver, boost.
#pragma once

#include <string_view>

#include "answer.hpp"

namespace msgring::host {

/// An attribute of `cpu`'s cpufreq folder ("scaling_governor"); absent (no cpufreq) without one.
Answer cpufreq_attribute(const Root& root, int cpu, std::string_view name);

/// Whether a CPU may run above its base rate, "yes" or "no", and the file that said so.
struct Boost {
  Answer allowed;
  std::string source;  ///< "intel_pstate/no_turbo", "cpufreq/boost" or the CPU's own cpufreq/boost
};

/// Asks intel_pstate, then the global cpufreq switch, then the one of the CPU's own policy.
Boost read_boost(const Root& root, int cpu);

}  // namespace msgring::host
