// SPDX-License-Identifier: MIT
// Tracing that somebody left on: every hook costs instructions in the timed region.
#pragma once

#include <string>
#include <vector>

#include "answer.hpp"

namespace msgring::host {

/// `active` has one entry per thing that is on ("tracer function_graph", "some events in instance
/// x", "12 hooked functions"), `unseen` one per thing that could not be read ("hooked functions
/// (EPERM)", as under lockdown). `state` is kAbsent without a mounted tracefs, kUnreadable where
/// it may not be read at all.
struct TracingState {
  FileState state = FileState::kAbsent;
  std::string why;  ///< absent or unreadable: why
  std::vector<std::string> active;
  std::vector<std::string> unseen;
};

/// Looks at the top level and every instance of tracefs, at /sys/kernel/tracing or below debugfs.
/// Mounts nothing and changes nothing.
TracingState read_tracing_state(const Root& root);

/// What is on, or "off", then "; unknown: " and what could not be read; "absent (why)", "unknown
/// (why)".
std::string text_of(const TracingState& state);

}  // namespace msgring::host
