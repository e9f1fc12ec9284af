// SPDX-License-Identifier: MIT
// The list of workloads. Adding one is a file of its own and a line here.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "msgring/workload/workload.hpp"
#include "workload/first_fill.hpp"

namespace msgring::workload {

std::span<const Entry> registry() noexcept {
  static const std::array kEntries{kFirstFill};
  return kEntries;
}

const Entry* find_workload(std::string_view name) noexcept {
  const auto entries = registry();
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& entry) { return entry.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

std::string cost_name(const Entry& entry, std::size_t index, host::Unit unit) {
  const PhaseInfo& phase = entry.phases[index];
  const auto same = std::count_if(entry.phases.begin(), entry.phases.end(),
                                  [&](const PhaseInfo& other) { return other.noun == phase.noun; });
  const std::string cost = fmt::format("{}_per_{}", host::unit_text(unit), phase.noun);
  return same == 1 ? cost : fmt::format("{}_{}", phase.name, cost);
}

std::uint64_t interval_of(std::span<const PhaseSample> samples) noexcept {
  return samples.empty() ? 0 : samples.back().end - samples.front().begin;
}

}  // namespace msgring::workload
