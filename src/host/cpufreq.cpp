// SPDX-License-Identifier: MIT
// The cpufreq and intel_pstate files (Documentation/admin-guide/pm).
#include "cpufreq.hpp"

#include <fmt/format.h>

namespace msgring::host {
namespace {

constexpr std::string_view kCpuFolder = "/sys/devices/system/cpu/";

/// "yes" or "no" from a switch that means "boost" at `on`.
Answer boost_switch(const Root& root, std::string_view name, std::string_view on) {
  const Answer state = attribute(root, fmt::format("{}{}", kCpuFolder, name), "no boost switch");
  return has_value(state) ? value(state.text == on ? "yes" : "no") : state;
}

}  // namespace

Answer cpufreq_attribute(const Root& root, int cpu, std::string_view name) {
  const std::string folder = fmt::format("{}cpu{}/cpufreq", kCpuFolder, cpu);
  const bool has_cpufreq = list_folder(root.path(folder)).state != FileState::kAbsent;
  return attribute(root, fmt::format("{}/{}", folder, name),
                   has_cpufreq ? fmt::format("no {} in cpufreq", name) : "no cpufreq");
}

Boost read_boost(const Root& root, int cpu) {
  constexpr std::string_view kIntel = "intel_pstate/no_turbo";
  constexpr std::string_view kGlobal = "cpufreq/boost";
  if (Answer intel = boost_switch(root, kIntel, "0"); intel.state != FileState::kAbsent) {
    return {intel, std::string(kIntel)};
  }
  if (Answer global = boost_switch(root, kGlobal, "1"); global.state != FileState::kAbsent) {
    return {global, std::string(kGlobal)};
  }
  std::string own = fmt::format("cpu{}/cpufreq/boost", cpu);
  return {boost_switch(root, own, "1"), std::move(own)};
}

}  // namespace msgring::host
