// SPDX-License-Identifier: MIT
// Tracing that somebody left on: every hook costs instructions in the timed region.
#pragma once

#include <string>
#include <vector>

#include "answer.hpp"

namespace msgring::host {

/// `active` has one entry per thing that is on ("tracer function_graph", "events in instance x",
/// "12 hooked functions"), and is empty where all is off. `state` is kAbsent without a mounted
/// tracefs, kUnreadable where it may not be read.
struct TracingState {
  FileState state = FileState::kAbsent;
  std::string why;  ///< absent or unreadable: why
  std::vector<std::string> active;
};

/// Looks at the top level and every instance of tracefs, at /sys/kernel/tracing or below debugfs.
/// Mounts nothing and changes nothing.
TracingState read_tracing_state(const Root& root);

/// "off", what is on, "absent (why)" or "unknown (why)".
std::string text_of(const TracingState& state);

}  // namespace msgring::host
