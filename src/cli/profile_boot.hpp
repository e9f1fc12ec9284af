// SPDX-License-Identifier: MIT
// Booting a kernel under the instruction profiler.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "cli/guest_boot.hpp"
#include "msgring/profile/profile.hpp"

namespace msgring::cli {

/// What every kernel is profiled with.
struct ProfilePlan {
  std::string workload = "first_fill";
  std::uint32_t rounds = 15;           ///< counted
  std::uint32_t warmup = 3;            ///< left out; the first one switches the profiler on
  std::vector<std::string> arguments;  ///< the benchmark's, for the workload's shape
  std::string qemu = "qemu-system-x86_64";
  std::filesystem::path bench_program;
  std::uint32_t seed = 1;
};

/// Boots each target once, side by side, and returns their profiles in the same order. Each profile
/// agrees with the guest's own clock (profile::check_against_clock).
/// Throws Error for what goes wrong with any of them: no plugin for this QEMU, a boot that failed,
/// a guest whose kernel hides its symbols.
std::vector<profile::Profile> profile_boots(const std::vector<BootTarget>& targets,
                                            const ProfilePlan& plan, const std::stop_token& stop);

}  // namespace msgring::cli
