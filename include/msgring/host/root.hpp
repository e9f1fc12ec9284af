// SPDX-License-Identifier: MIT
// Root: where /proc, /sys, /boot and the like are read from; the seam at which tests set a fake
// tree.
#pragma once

#include <filesystem>
#include <string_view>
#include <utility>

namespace msgring::host {

/// A prefix for absolute paths: "/" is this machine, anything else a tree that looks like one.
///
/// What only a system call or an instruction can answer (an affinity mask, CPUID) is asked only
/// when `is_this_machine()`, so that a fake tree never mixes with the machine that the test runs
/// on.
class Root {
 public:
  Root() = default;
  explicit Root(std::filesystem::path prefix) : prefix_(std::move(prefix)) {}

  /// `absolute` ("/proc/stat") below the prefix.
  std::filesystem::path path(std::string_view absolute) const {
    return prefix_ / std::filesystem::path(absolute).relative_path();
  }

  bool is_this_machine() const { return prefix_ == "/"; }

 private:
  std::filesystem::path prefix_ = "/";
};

}  // namespace msgring::host
