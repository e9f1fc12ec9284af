// SPDX-License-Identifier: MIT
// cpu.*: which processor, which CPU of it, and everything that sets its speed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "answer.hpp"
#include "clocksource.hpp"
#include "cpufreq.hpp"
#include "fact_groups.hpp"
#include "msgring/host/clock_source.hpp"
#include "parse.hpp"

namespace msgring::host {
namespace {

constexpr std::string_view kCpuFolder = "/sys/devices/system/cpu/";

std::string cpuinfo(const Root& root, std::string_view name) {
  return text_of(field(root, "/proc/cpuinfo", name));
}

/// "6/154/3"; the first missing one's reason if any is missing.
std::string family_model_stepping(const Root& root) {
  const Answer parts[] = {field(root, "/proc/cpuinfo", "cpu family"),
                          field(root, "/proc/cpuinfo", "model"),
                          field(root, "/proc/cpuinfo", "stepping")};
  for (const Answer& part : parts) {
    if (!has_value(part)) {
      return text_of(part);
    }
  }
  return fmt::format("{}/{}/{}", parts[0].text, parts[1].text, parts[2].text);
}

std::string cpu_attribute(const Root& root, std::string_view name) {
  return text_of(
      attribute(root, fmt::format("{}{}", kCpuFolder, name), fmt::format("no {}", name)));
}

std::string list_text(const CpuList& cpus) {
  return cpus.empty() ? text_of(absent("no topology in sysfs")) : format_cpu_list(cpus);
}

/// The distinct answers for `cpus`, in the order of the CPUs.
std::string distinct(const CpuList& cpus, const std::function<std::string(int)>& ask) {
  std::vector<std::string> answers;
  for (const int cpu : cpus) {
    std::string answer = ask(cpu);
    if (std::find(answers.begin(), answers.end(), answer) == answers.end()) {
      answers.push_back(std::move(answer));
    }
  }
  return answers.empty() ? text_of(unknown("no CPU list"))
                         : fmt::format("{}", fmt::join(answers, ", "));
}

std::string boost_text(const Root& root, int cpu) {
  const Boost boost = read_boost(root, cpu);
  return has_value(boost.allowed) ? fmt::format("{} ({})", boost.allowed.text, boost.source)
                                  : text_of(boost.allowed);
}

std::string smt_text(const Root& root) {
  const Answer active = attribute(root, fmt::format("{}smt/active", kCpuFolder), "no smt control");
  if (!has_value(active)) {
    return text_of(active);
  }
  return fmt::format("{} ({})", active.text == "1" ? "yes" : "no",
                     cpu_attribute(root, "smt/control"));
}

std::string mitigations(const Root& root) {
  const std::string folder = fmt::format("{}vulnerabilities", kCpuFolder);
  const FolderList names = list_folder(root.path(folder));
  std::vector<std::string> lines;
  for (const std::string& name : names.names) {
    lines.push_back(fmt::format(
        "{}: {}", name, text_of(attribute(root, fmt::format("{}/{}", folder, name), "gone"))));
  }
  return lines.empty() ? text_of(absent("no vulnerabilities in sysfs"))
                       : fmt::format("{}", fmt::join(lines, " | "));
}

/// The flags of /proc/cpuinfo that say what the time-stamp counter is worth.
std::string tsc_flags(const Root& root) {
  const Answer flags = field(root, "/proc/cpuinfo", "flags");
  if (!has_value(flags)) {
    return text_of(flags);
  }
  const auto words = words_of(flags.text);
  std::string text;
  for (const std::string_view flag :
       {"tsc", "constant_tsc", "nonstop_tsc", "tsc_known_freq", "tsc_reliable", "rdtscp"}) {
    if (std::find(words.begin(), words.end(), flag) != words.end()) {
      text += fmt::format("{}{}", text.empty() ? "" : " ", flag);
    }
  }
  return text.empty() ? "none" : text;
}

void append_speed_facts(const Root& root, const CpuList& cpus, Facts& facts) {
  const auto cpufreq = [&](std::string_view name) {
    return distinct(cpus, [&](int cpu) { return text_of(cpufreq_attribute(root, cpu, name)); });
  };
  facts.emplace_back("cpu.governor", cpufreq("scaling_governor"));
  facts.emplace_back("cpu.energy_performance_preference", cpufreq("energy_performance_preference"));
  facts.emplace_back("cpu.scaling_driver", cpufreq("scaling_driver"));
  facts.emplace_back("cpu.idle_driver", cpu_attribute(root, "cpuidle/current_driver"));
  facts.emplace_back("cpu.turbo", distinct(cpus, [&](int cpu) { return boost_text(root, cpu); }));
  facts.emplace_back("cpu.smt", smt_text(root));
  facts.emplace_back("cpu.mitigations", mitigations(root));
  facts.emplace_back("cpu.clocksource", clock_source(root));
  facts.emplace_back("cpu.clocksource_available",
                     text_of(clocksource_attribute(root, "available_clocksource")));
  facts.emplace_back("cpu.tsc_flags", tsc_flags(root));
}

}  // namespace

void append_cpu_facts(const Root& root, const CpuSets& sets, std::optional<int> pinned,
                      Facts& facts) {
  const CpuList cpus = pinned ? CpuList{*pinned} : sets.online;
  facts.emplace_back("cpu.model", cpuinfo(root, "model name"));
  facts.emplace_back("cpu.vendor", cpuinfo(root, "vendor_id"));
  facts.emplace_back("cpu.family_model_stepping", family_model_stepping(root));
  facts.emplace_back("cpu.microcode", cpuinfo(root, "microcode"));
  facts.emplace_back("cpu.pinned", pinned ? fmt::format("{}", *pinned) : "no");
  facts.emplace_back("cpu.kind",
                     distinct(cpus, [&](int cpu) { return kind_of(root, sets.online, cpu); }));
  facts.emplace_back("cpu.siblings", pinned ? list_text(siblings_of(root, *pinned))
                                            : text_of(absent("not pinned")));
  facts.emplace_back("cpu.present", format_cpu_list(sets.present));
  facts.emplace_back("cpu.online", format_cpu_list(sets.online));
  facts.emplace_back("cpu.allowed", format_cpu_list(sets.allowed));
  facts.emplace_back("cpu.isolated", cpu_attribute(root, "isolated"));
  // Some kernels print a null pointer where no CPU is meant.
  const std::string nohz_full = cpu_attribute(root, "nohz_full");
  facts.emplace_back("cpu.nohz_full", nohz_full == "(null)" ? "none" : nohz_full);
  append_speed_facts(root, cpus, facts);
}

}  // namespace msgring::host
