// SPDX-License-Identifier: MIT
// Which CPUs there are, which of them may be used, which one to measure on, and staying there.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "msgring/host/root.hpp"

namespace msgring::host {

/// CPU numbers in ascending order, each once.
using CpuList = std::vector<int>;

/// Reads the kernel's list format, "0-3,8"; an empty text is an empty list. Nothing for any other
/// text, for ranges that fall, and for numbers above 16383.
std::optional<CpuList> parse_cpu_list(std::string_view text);

/// Writes the same format; "none" for an empty list.
std::string format_cpu_list(const CpuList& cpus);

bool contains(const CpuList& cpus, int cpu);

/// The sets that decide where a thread may run.
struct CpuSets {
  CpuList present;  ///< the machine has them
  CpuList online;   ///< the kernel schedules on them
  CpuList allowed;  ///< the affinity mask of the calling thread
  CpuList
      settable;  ///< what sched_setaffinity(2) would grant: everything online that the cpuset holds
  CpuList isolated;  ///< isolcpus=: online, but in nobody's mask unless asked for
};

/// Reads the sets. On this machine `allowed` and `settable` come from system calls (the mask is
/// widened and restored for that), in a fake tree from Cpus_allowed_list of /proc/self/status.
/// Without sysfs the mask stands for `present` and `online` too. Call it before pinning.
CpuSets read_cpu_sets(const Root& root);

/// The CPUs that share a core with `cpu`, itself included; empty when the kernel does not say.
CpuList siblings_of(const Root& root, int cpu);

/// How strong a CPU is, larger is stronger, 0 where the kernel has no such source. Compared in
/// this order, since a hybrid machine's two kinds can have equal capacity or close frequencies.
struct CpuStrength {
  long core_type = 0;     ///< hybrid PMU lists: 3 cpu_core, 2 cpu_atom, 1 cpu_lowpower
  long capacity = 0;      ///< cpu_capacity, at most 1024
  long max_freq_khz = 0;  ///< cpufreq/cpuinfo_max_freq

  // clang-tidy 14 takes the 0 inside a defaulted <=> for a pointer.
  auto operator<=>(const CpuStrength&) const = default;  // NOLINT(modernize-use-nullptr)
};

CpuStrength strength_of(const Root& root, int cpu);

/// What kind of CPU `cpu` is among `online`, for a record: "cpu_core", "capacity 446 of 1024",
/// "max 2000000 kHz of 2800000 kHz", "uniform", or "absent (why)". A single CPU is uniform,
/// whatever sysfs has: only newer kernels give one without a frequency driver a capacity.
std::string kind_of(const Root& root, const CpuList& online, int cpu);

/// The CPU to measure on when none was named. From the thread's own mask; where that is the
/// default mask (nobody restricted it), isolated CPUs that the cpuset holds count too. Preferred,
/// in this order: isolated, the strongest, no shared core with CPU 0 (interrupts and housekeeping
/// land there), not CPU 0, the lowest number.
/// Throws Error(kEnvironment) if there is none.
int choose_cpu(const Root& root, const CpuSets& sets);

/// Throws unless `cpu` can be used: Error(kUsage) with the range for one that the machine does
/// not have, Error(kEnvironment) with the online list for an offline one, with the allowed list
/// for one outside the cpuset. `option` ("--cpu") begins the line.
void require_usable_cpu(const CpuSets& sets, int cpu, std::string_view option = "--cpu");

/// Pins the calling thread to `cpu` and reads the mask back.
/// Throws as `require_usable_cpu`, and Error(kEnvironment) if the kernel grants another mask.
void pin_this_thread(const CpuSets& sets, int cpu, std::string_view option = "--cpu");

}  // namespace msgring::host
