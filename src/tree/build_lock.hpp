// SPDX-License-Identifier: MIT
// BuildLock: one build at a time in a folder.
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string_view>

#include "msgring/host/fd.hpp"

namespace msgring::tree {

/// Holds a folder's lock, for itself and for all that it starts: compilers that outlive a killed
/// msgring keep it until they are gone, so that nobody builds among them.
class BuildLock {
 public:
  /// Waits for whoever has it, and says so once. Throws Error (kInterrupted) when stopped.
  BuildLock(const std::filesystem::path& folder,
            const std::function<void(std::string_view)>& progress, const std::stop_token& stop);

 private:
  host::FileDescriptor file_;
};

}  // namespace msgring::tree
