// SPDX-License-Identifier: MIT
// Counting: events of one round, phase by phase.
#pragma once

#include <span>
#include <vector>

#include "msgring/trace/trace.hpp"
#include "trace/events.hpp"

namespace msgring::trace {

/// Calls between `begin` and `end`, by chain. `calls` are in the order of their time. A chain holds
/// what encloses the call, even from before `begin`.
std::vector<CallCount> count_calls(std::span<const CallEvent> calls, std::uint64_t begin,
                                   std::uint64_t end);

/// Allocations and frees between `begin` and `end`, by site; the most frequent first.
std::vector<SiteCount> count_sites(std::span<const MemoryRecord> records, std::uint64_t begin,
                                   std::uint64_t end);

}  // namespace msgring::trace
