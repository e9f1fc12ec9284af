// SPDX-License-Identifier: MIT
// Counts a child's user instructions between the marks of host/clock.hpp, one step at a time.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>

namespace msgring::bench {

/// Phases that a mark may name here.
constexpr std::size_t kMostPhases = 4;

/// Instructions between the begin and end marks of each phase, all stretches together. What the
/// kernel executes counts as the one instruction that entered it.
using StepCounts = std::array<std::uint64_t, kMostPhases>;

/// Steps a traced, stopped child until it stops itself again (SIGSTOP). The child must be a fork of
/// this process with the same mappings: its code is read from here. Throws std::system_error if it
/// cannot be stepped, Error (invalid) if it ends on the way.
StepCounts count_steps(pid_t child);

}  // namespace msgring::bench
