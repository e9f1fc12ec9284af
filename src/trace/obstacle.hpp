// SPDX-License-Identifier: MIT
// Why the kernel's tracing cannot be used.
#pragma once

#include <string>
#include <string_view>

#include "msgring/host/root.hpp"

namespace msgring::trace {

enum class Obstacle {
  kNotMounted,
  kReadOnly,
  kNoPermission,
  kLockedDown,
  kNotBuiltIn,
};

/// The obstacle that `error` (a positive errno value) of a tracing file means. Whether a refusal is
/// the lockdown's is read from the kernel.
Obstacle obstacle_of(int error, const host::Root& root);

/// One line: "function_graph: not built in (current_tracer: EINVAL)", without a line end.
std::string obstacle_text(std::string_view what, Obstacle obstacle, std::string_view evidence);

}  // namespace msgring::trace
