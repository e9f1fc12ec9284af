// SPDX-License-Identifier: MIT
// Everything about the machine that a point file must say, as flat keys in a fixed order.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "msgring/host/cpus.hpp"
#include "msgring/host/root.hpp"

namespace msgring::host {

/// Key and value, in the order below. No key is ever left out and no value is empty.
///
/// A value is what the kernel says (`none` where it says nothing, as for an empty list; `yes`,
/// `no` for a switch), `absent (why)` for what does not exist here, `unknown (why)` for what exists
/// and cannot be read. What is stable across boots names the machine; calibrated clock rates, which
/// differ a little from boot to boot, are never among the keys.
///
///     kernel.  release version machine cmdline boot_id btime uptime_s build_id config_source
///              config_sha256 preempt_mode preempt_evidence tainted out_of_tree_modules aslr
///              load_average tracing
///     cpu.     model vendor family_model_stepping microcode pinned kind siblings present online
///              allowed isolated nohz_full governor energy_performance_preference scaling_driver
///              idle_driver turbo smt mitigations clocksource clocksource_available tsc_flags
///     memory.  total_kib page_bytes transparent_hugepages hugepages numa_nodes swap
///     limits.  nofile_soft nofile_hard memlock_soft memlock_hard io_uring_disabled io_uring_group
///              seccomp
///     virt.    hypervisor accelerator container cgroup
///     machine. vendor product bios_version bios_date topology
using Facts = std::vector<std::pair<std::string, std::string>>;

/// Collects the facts. `sets` are those read before pinning (`cpu.allowed` would be the pinned CPU
/// afterwards). Values of one CPU are those of `pinned`, or the distinct values of all online CPUs
/// where no CPU was pinned. Costs a few milliseconds; reads only.
Facts collect_facts(const Root& root, const CpuSets& sets, std::optional<int> pinned);

}  // namespace msgring::host
