// SPDX-License-Identifier: MIT
// TraceJob: what to trace in words, on this machine or carried into a guest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "msgring/trace/trace.hpp"

namespace msgring::trace {

struct TraceJob {
  std::string workload = "first_fill";
  std::uint32_t slots = 128;
  std::uint32_t batch = 64;
  std::uint32_t operations = 128;  ///< of workloads whose table's size does not say it
  std::optional<int> cpu;          ///< none: the best one that is allowed
};

/// The job as words for a guest's configuration, and back. Throws Error (kInvalid) for others.
std::vector<std::string> job_words(const TraceJob& job);
TraceJob parse_job(const std::vector<std::string>& words);

/// Raises the descriptor limit, pins this thread and traces one round; of `cache`, one pair of
/// fills, so that a phase is one stretch of time. Throws Error (kUsage) for a workload
/// that does not exist, and what trace_workload() throws.
Trace run_job(const TraceJob& job);

}  // namespace msgring::trace
