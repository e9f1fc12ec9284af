// SPDX-License-Identifier: MIT
// RunLock: one process at a time works in a run's folder.
#pragma once

#include <filesystem>

#include "msgring/host/fd.hpp"

namespace msgring::boot {

/// Holds flock(2) on the folder itself: it leaves no file, and ends with its process.
class RunLock {
 public:
  /// Throws Error (kUsage) when another process holds it.
  explicit RunLock(const std::filesystem::path& folder);

 private:
  host::FileDescriptor folder_;
};

}  // namespace msgring::boot
