// SPDX-License-Identifier: MIT
// The preemption mode in force, and the evidence where the kernel does not give it out.
#pragma once

#include "answer.hpp"
#include "kernel_config.hpp"

namespace msgring::host {

/// The parenthesised word of debugfs sched/preempt ("full (lazy)" is lazy), whatever the words are.
/// A kernel without PREEMPT_DYNAMIC has the mode of its configuration, "voluntary (built in)".
/// Unknown otherwise: what uname shows (PREEMPT_DYNAMIC) is no mode.
Answer preemption_mode(const Root& root, const KernelConfig& config);

/// Command line, configuration and uname words that bear on the mode, on one line.
std::string preemption_evidence(const Root& root, const KernelConfig& config);

}  // namespace msgring::host
