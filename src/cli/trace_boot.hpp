// SPDX-License-Identifier: MIT
// Booting kernels to trace a workload there.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "cli/guest_boot.hpp"
#include "msgring/trace/job.hpp"
#include "msgring/trace/trace.hpp"

namespace msgring::cli {

/// Boots each target once, side by side, and returns their traces in the same order. Throws Error
/// for what goes wrong with any of them.
std::vector<trace::Trace> trace_boots(const std::vector<BootTarget>& targets,
                                      const trace::TraceJob& job, const std::string& qemu,
                                      const std::stop_token& stop);

}  // namespace msgring::cli
