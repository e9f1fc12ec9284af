// SPDX-License-Identifier: MIT
// The judges behind diagnose_machine, by what they look at. Each appends what it finds.
#pragma once

#include "hypervisor.hpp"
#include "msgring/host/findings.hpp"
#include "msgring/host/tsc.hpp"

namespace msgring::host {

/// Clock rate, core type, shared core, isolation, clock source.
void append_cpu_findings(const Root& root, int cpu, std::vector<Finding>& findings);

/// Tracing, debug options, preemption mode, watchdog, address randomisation.
void append_kernel_findings(const Root& root, std::vector<Finding>& findings);

/// Load, other tasks, swap.
void append_load_findings(const Root& root, std::vector<Finding>& findings);

/// The hypervisor. `trial` is that of the time-stamp counter, looked at only under TCG.
void append_hypervisor_finding(const Hypervisor& hypervisor, const TscTrial& trial,
                               std::vector<Finding>& findings);

}  // namespace msgring::host
