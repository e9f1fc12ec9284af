// SPDX-License-Identifier: MIT
// One boot of one kernel with a program as its user space, for subcommands that need no sandwich.
#pragma once

#include <cstdint>
#include <filesystem>
#include <future>
#include <stop_token>
#include <string>
#include <vector>

#include "msgring/boot/driver.hpp"

namespace msgring::cli {

/// A kernel and what is added to its command line.
struct BootTarget {
  boot::Kernel kernel;
  std::string append;
};

/// What to boot, and how.
struct GuestBoot {
  BootTarget target;
  std::filesystem::path program;                ///< becomes /init
  std::vector<std::string> arguments;           ///< the program's
  std::vector<std::string> emulator_arguments;  ///< added to QEMU's
  std::string qemu = "qemu-system-x86_64";
  std::uint32_t seed = 1;
  std::filesystem::path scratch;  ///< an existing folder for this boot alone
};

/// Boots under the instruction counter and waits for the result. Throws what the driver throws.
boot::BootResult run_guest_boot(const GuestBoot& guest, const std::stop_token& stop);

/// `one(target)` of every target, side by side; what it returns, in the order of the targets.
/// Throws what the first of them throws, after all have ended.
template <class One>
auto side_by_side(const std::vector<BootTarget>& targets, One one) {
  using Result = decltype(one(targets.front()));
  std::vector<std::future<Result>> running;
  running.reserve(targets.size());
  for (const BootTarget& target : targets) {
    running.push_back(std::async(std::launch::async, [&one, &target] { return one(target); }));
  }
  std::vector<Result> results;
  results.reserve(targets.size());
  for (std::future<Result>& future : running) {
    results.push_back(future.get());
  }
  return results;
}

/// A program that stands beside this one. Throws Error (kUsage) where it does not.
std::filesystem::path program_beside(const std::string& name);

/// The kernels that `names` stand for, from the cache; a missing version is fetched where `fetch`.
/// Progress goes to standard error, each line after `who`.
std::vector<BootTarget> resolve_kernels(const std::vector<std::string>& names,
                                        const boot::KernelCache& cache, bool fetch,
                                        const std::string& who, const std::stop_token& stop);

}  // namespace msgring::cli
