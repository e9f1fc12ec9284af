// SPDX-License-Identifier: MIT
// What changes the speed of the measured CPU, or shares it with others.
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "answer.hpp"
#include "clocksource.hpp"
#include "cpufreq.hpp"
#include "finding_groups.hpp"
#include "msgring/host/cpus.hpp"

namespace msgring::host {
namespace {

void judge_governor(const Root& root, int cpu, std::vector<Finding>& findings) {
  const Answer governor = cpufreq_attribute(root, cpu, "scaling_governor");
  if (!has_value(governor)) {
    findings.push_back({Severity::kNote, "governor", text_of(governor),
                        "what sets the clock rate cannot be seen from here", ""});
    return;
  }
  if (governor.text == "performance") {
    return;
  }
  const Answer preference = cpufreq_attribute(root, cpu, "energy_performance_preference");
  findings.push_back(
      {Severity::kWarning, "governor",
       fmt::format("{} on CPU {}{}", governor.text, cpu,
                   has_value(preference)
                       ? fmt::format(", energy_performance_preference {}", preference.text)
                       : ""),
       "the clock rate follows the load, so the first rounds run slower than the last",
       fmt::format("echo performance > /sys/devices/system/cpu/cpu{}/cpufreq/scaling_governor",
                   cpu)});
}

void judge_boost(const Root& root, int cpu, std::vector<Finding>& findings) {
  const Boost boost = read_boost(root, cpu);
  if (!has_value(boost.allowed)) {
    findings.push_back({Severity::kNote, "boost", text_of(boost.allowed),
                        "whether the CPU exceeds its base rate cannot be seen from here", ""});
    return;
  }
  if (boost.allowed.text == "no") {
    return;
  }
  const bool is_intel = boost.source == "intel_pstate/no_turbo";
  findings.push_back(
      {Severity::kWarning, "boost", fmt::format("on ({})", boost.source),
       "the clock rate depends on temperature and on what other cores do",
       fmt::format("echo {} > /sys/devices/system/cpu/{}", is_intel ? 1 : 0, boost.source)});
}

void judge_core_type(const Root& root, const CpuSets& sets, int cpu,
                     std::vector<Finding>& findings) {
  const CpuStrength own = strength_of(root, cpu);
  const bool has_stronger = std::any_of(sets.online.begin(), sets.online.end(), [&](int other) {
    const CpuStrength strength = strength_of(root, other);
    return strength.core_type > own.core_type || strength.capacity > own.capacity;
  });
  if (has_stronger) {
    findings.push_back(
        {Severity::kWarning, "core_type",
         fmt::format("CPU {} is {}, and there are stronger ones", cpu,
                     kind_of(root, sets.online, cpu)),
         "results of unlike cores cannot be compared",
         fmt::format("--cpu {}, or none for the strongest", choose_cpu(root, sets))});
  }
}

void judge_siblings(const Root& root, const CpuSets& sets, int cpu,
                    std::vector<Finding>& findings) {
  CpuList others;
  for (const int sibling : siblings_of(root, cpu)) {
    if (sibling != cpu && contains(sets.online, sibling)) {
      others.push_back(sibling);
    }
  }
  if (!others.empty()) {
    findings.push_back(
        {Severity::kWarning, "smt_sibling",
         fmt::format("CPU {} shares its core with CPU {}", cpu, format_cpu_list(others)),
         "whatever runs there takes execution units and cache away",
         fmt::format("echo 0 > /sys/devices/system/cpu/cpu{}/online", others.front())});
  }
}

void judge_isolation(const CpuSets& sets, int cpu, std::vector<Finding>& findings) {
  if (contains(sets.isolated, cpu) || sets.online.size() < 2) {
    return;
  }
  // CPU 0 keeps the time and cannot be had for nohz_full.
  findings.push_back(
      {Severity::kNote, "isolation",
       fmt::format("CPU {} is not isolated (isolated: {})", cpu, format_cpu_list(sets.isolated)),
       "the scheduler may run other tasks there between rounds and within them",
       cpu == 0 ? "measure on another CPU and boot with isolcpus= and nohz_full= for it"
                : fmt::format("boot with isolcpus={} nohz_full={}", cpu, cpu)});
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

void judge_clocksource(const Root& root, std::vector<Finding>& findings) {
  const Answer source = clocksource_attribute(root, "current_clocksource");
  if (!has_value(source)) {
    findings.push_back({Severity::kNote, "clocksource", text_of(source),
                        "the cost of a clock read is not known", ""});
  } else if (is_one_of(source.text, {"hpet", "acpi_pm", "jiffies", "refined-jiffies", "pit"})) {
    findings.push_back({Severity::kWarning, "clocksource", source.text,
                        "reading the clock is a system call here, slow and coarse",
                        "see the kernel log for why the TSC was given up; tsc=reliable forces it"});
  } else if (is_one_of(source.text, {"kvm-clock", "xen", "hyperv_clocksource_tsc_page",
                                     "hyperv_clocksource_msr"})) {
    findings.push_back({Severity::kNote, "clocksource", source.text,
                        "the hypervisor scales this clock; both sides of a comparison must use it",
                        ""});
  }
}

}  // namespace

void append_cpu_findings(const Root& root, int cpu, std::vector<Finding>& findings) {
  const CpuSets sets = read_cpu_sets(root);
  judge_governor(root, cpu, findings);
  judge_boost(root, cpu, findings);
  judge_core_type(root, sets, cpu, findings);
  judge_siblings(root, sets, cpu, findings);
  judge_clocksource(root, findings);
  judge_isolation(sets, cpu, findings);
}

}  // namespace msgring::host
