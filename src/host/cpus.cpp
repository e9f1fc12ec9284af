// SPDX-License-Identifier: MIT
// CPU sets, kinds and strengths from sysfs, and the choice among them.
#include "msgring/host/cpus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include "affinity.hpp"
#include "msgring/error.hpp"
#include "msgring/host/file.hpp"
#include "parse.hpp"

namespace msgring::host {
namespace {

constexpr std::string_view kCpuFolder = "/sys/devices/system/cpu/";

CpuList list_from(const Root& root, std::string_view path) {
  return parse_cpu_list(read_attribute(root.path(path)).text).value_or(CpuList{});
}

CpuList cpu_folder_list(const Root& root, std::string_view name) {
  return list_from(root, fmt::format("{}{}", kCpuFolder, name));
}

long cpu_number(const Root& root, int cpu, std::string_view name) {
  const TextFile file = read_attribute(root.path(fmt::format("{}cpu{}/{}", kCpuFolder, cpu, name)));
  return parse_number<long>(file.text).value_or(0);
}

/// The kernel's names for the core types of a hybrid x86 machine, strongest first.
constexpr std::string_view kCoreTypes[] = {"cpu_core", "cpu_atom", "cpu_lowpower"};

std::string_view core_type_of(const Root& root, int cpu) {
  for (const std::string_view type : kCoreTypes) {
    if (contains(list_from(root, fmt::format("/sys/devices/{}/cpus", type)), cpu)) {
      return type;
    }
  }
  return {};
}

bool includes(const CpuList& all, const CpuList& part) {
  return std::includes(all.begin(), all.end(), part.begin(), part.end());
}

CpuList without(const CpuList& all, const CpuList& part) {
  CpuList rest;
  std::set_difference(all.begin(), all.end(), part.begin(), part.end(), std::back_inserter(rest));
  return rest;
}

}  // namespace

bool contains(const CpuList& cpus, int cpu) {
  return std::binary_search(cpus.begin(), cpus.end(), cpu);
}

CpuSets read_cpu_sets(const Root& root) {
  CpuSets sets;
  sets.present = cpu_folder_list(root, "present");
  sets.online = cpu_folder_list(root, "online");
  sets.isolated = cpu_folder_list(root, "isolated");
  if (root.is_this_machine()) {
    sets.allowed = this_thread_affinity();
    sets.settable = grantable_affinity(sets.online);
  } else {
    const TextFile status = read_text_file(root.path("/proc/self/status"));
    sets.allowed =
        parse_cpu_list(field_of(status.text, "Cpus_allowed_list").value_or("")).value_or(CpuList{});
    sets.settable = sets.allowed;
  }
  sets.online = sets.online.empty() ? sets.allowed : sets.online;
  sets.present = sets.present.empty() ? sets.online : sets.present;
  return sets;
}

CpuList siblings_of(const Root& root, int cpu) {
  const auto topology = fmt::format("{}cpu{}/topology/", kCpuFolder, cpu);
  const CpuList siblings = list_from(root, topology + "core_cpus_list");
  // The older name of the same list, before 5.3.
  return siblings.empty() ? list_from(root, topology + "thread_siblings_list") : siblings;
}

CpuStrength strength_of(const Root& root, int cpu) {
  const auto* const type =
      std::find(std::begin(kCoreTypes), std::end(kCoreTypes), core_type_of(root, cpu));
  return {std::distance(type, std::end(kCoreTypes)), cpu_number(root, cpu, "cpu_capacity"),
          cpu_number(root, cpu, "cpufreq/cpuinfo_max_freq")};
}

std::string kind_of(const Root& root, const CpuList& online, int cpu) {
  if (const std::string_view type = core_type_of(root, cpu); !type.empty()) {
    return std::string(type);
  }
  if (online.size() == 1) {
    return "uniform";
  }
  const CpuStrength own = strength_of(root, cpu);
  CpuStrength most = own;
  CpuStrength least = own;
  for (const int other : online) {
    const CpuStrength strength = strength_of(root, other);
    most = {0, std::max(most.capacity, strength.capacity),
            std::max(most.max_freq_khz, strength.max_freq_khz)};
    least = {0, std::min(least.capacity, strength.capacity),
             std::min(least.max_freq_khz, strength.max_freq_khz)};
  }
  if (most.capacity != least.capacity) {
    return fmt::format("capacity {} of {}", own.capacity, most.capacity);
  }
  if (most.max_freq_khz != least.max_freq_khz) {
    return fmt::format("max {} kHz of {} kHz", own.max_freq_khz, most.max_freq_khz);
  }
  return own.capacity == 0 && own.max_freq_khz == 0
             ? "absent (no cpu_capacity, no cpufreq, no hybrid PMU)"
             : "uniform";
}

int choose_cpu(const Root& root, const CpuSets& sets) {
  const bool is_default_mask = includes(sets.allowed, without(sets.online, sets.isolated));
  const CpuList& candidates = is_default_mask ? sets.settable : sets.allowed;
  if (candidates.empty()) {
    throw Error(ExitStatus::kEnvironment, "no CPU to measure on: the allowed list is empty",
                "check /proc/self/status and the cpuset of this process");
  }
  const CpuList beside_cpu0 = siblings_of(root, 0);
  const auto rank = [&](int cpu) {
    return std::tuple(contains(sets.isolated, cpu), strength_of(root, cpu),
                      !contains(beside_cpu0, cpu), cpu != 0, -cpu);
  };
  return *std::max_element(candidates.begin(), candidates.end(),
                           [&](int left, int right) { return rank(left) < rank(right); });
}

void require_usable_cpu(const CpuSets& sets, int cpu, std::string_view option) {
  if (!contains(sets.present, cpu)) {
    throw Error(ExitStatus::kUsage, fmt::format("{} {}: this machine has no such CPU", option, cpu),
                fmt::format("it has {}", format_cpu_list(sets.present)));
  }
  if (!contains(sets.online, cpu)) {
    throw Error(ExitStatus::kEnvironment, fmt::format("{} {}: this CPU is offline", option, cpu),
                fmt::format("online: {}", format_cpu_list(sets.online)));
  }
  if (!contains(sets.settable, cpu)) {
    throw Error(ExitStatus::kEnvironment,
                fmt::format("{} {}: this process may not run there (its cpuset)", option, cpu),
                fmt::format("allowed: {}", format_cpu_list(sets.settable)));
  }
}

void pin_this_thread(const CpuSets& sets, int cpu, std::string_view option) {
  require_usable_cpu(sets, cpu, option);
  const int error = set_this_thread_affinity({cpu});
  if (error != 0) {
    throw Error(ExitStatus::kEnvironment,
                fmt::format("{} {}: sched_setaffinity: {}", option, cpu, errno_name(error)),
                fmt::format("allowed: {}", format_cpu_list(sets.settable)));
  }
  if (const CpuList mask = this_thread_affinity(); mask != CpuList{cpu}) {
    throw Error(ExitStatus::kEnvironment,
                fmt::format("{} {}: pinned, but the mask reads back as {}", option, cpu,
                            format_cpu_list(mask)),
                "something moves this process; stop it, or name another CPU");
  }
}

}  // namespace msgring::host
