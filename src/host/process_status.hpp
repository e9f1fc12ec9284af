// SPDX-License-Identifier: MIT
// What /proc/self/status and /proc/self/limits say about this process's rights.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "answer.hpp"
#include "msgring/host/root.hpp"

namespace msgring::host {

/// Rights of the process, each absent where the file does not tell.
struct ProcessStatus {
  std::optional<std::uint64_t> effective_capabilities;  ///< bit n is capability n
  std::optional<int> seccomp;                           ///< 0 off, 1 strict, 2 filter
  std::vector<std::uint32_t> groups;  ///< effective group first, then supplementary
};

ProcessStatus read_process_status(const Root& root);

/// A line of /proc/self/limits: numbers, or "unlimited".
struct ProcessLimit {
  Answer soft;
  Answer hard;
};

/// `name` as that file spells it, "Max open files".
ProcessLimit read_process_limit(const Root& root, std::string_view name);

/// False also where the capabilities are not known.
bool has_capability(const ProcessStatus& status, unsigned capability);

}  // namespace msgring::host
