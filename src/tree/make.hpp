// SPDX-License-Identifier: MIT
// Running the kernel's own make so that its result depends on source, configuration and compiler
// alone.
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace msgring::tree {

/// One kernel's build.
struct MakeSetup {
  std::filesystem::path source;
  std::filesystem::path objects;
  std::filesystem::path log;  ///< everything that it says is appended
  std::string local_version;  ///< added to the release
  unsigned jobs = 1;
  std::string name;  ///< for people: "v6.18 (0123456789ab)"
  std::function<void(std::string_view)> progress;
  std::stop_token stop;
};

/// Runs make for `targets`, with `jobs` compilers, through ccache where it is installed. Throws
/// BuildFailure, Error (kEnvironment) for a full disk, Error (kInterrupted).
void run_make(const MakeSetup& setup, const std::vector<std::string>& targets);

/// The first line of `gcc --version`. Throws Error (kEnvironment), with the packages to install,
/// when it or anything else that a kernel build needs is missing.
std::string check_build_tools();

}  // namespace msgring::tree
