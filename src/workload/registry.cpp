// SPDX-License-Identifier: MIT
// The list of workloads. Adding one is a file of its own and a line here.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "msgring/workload/workload.hpp"
#include "workload/buffer_update.hpp"
#include "workload/cache.hpp"
#include "workload/direct_open.hpp"
#include "workload/direct_socket.hpp"
#include "workload/file_update.hpp"
#include "workload/first_fill.hpp"
#include "workload/futex_rearm.hpp"
#include "workload/message_data.hpp"
#include "workload/refill.hpp"
#include "workload/register_fill.hpp"
#include "workload/replace.hpp"

namespace msgring::workload {

std::span<const Entry> registry() noexcept {
  static const std::array kEntries{
      kFirstFill,           kRegisterFill,       kRefill,       kReplace,    kCache,
      kFileUpdate,          kFileUpdateRegister, kBufferUpdate, kFutexRearm, kMessageData,
      kMessageDataDeferred, kDirectOpen,         kDirectSocket};
  return kEntries;
}

const Entry* find_workload(std::string_view name) noexcept {
  const auto entries = registry();
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& entry) { return entry.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

bool uses(const Entry& entry, Parameter parameter) noexcept {
  return std::find(entry.parameters.begin(), entry.parameters.end(), parameter) !=
         entry.parameters.end();
}

namespace {

/// `figure`, with the phase in front where another phase has the same noun.
std::string told_apart(const Entry& entry, std::size_t index, const std::string& figure) {
  const PhaseInfo& phase = entry.phases[index];
  const auto same = std::count_if(entry.phases.begin(), entry.phases.end(),
                                  [&](const PhaseInfo& other) { return other.noun == phase.noun; });
  return same == 1 ? figure : fmt::format("{}_{}", phase.name, figure);
}

}  // namespace

std::string cost_name(const Entry& entry, std::size_t index, host::Unit unit) {
  return told_apart(entry, index,
                    fmt::format("{}_per_{}", host::unit_text(unit), entry.phases[index].noun));
}

std::string rate_name(const Entry& entry, std::size_t index) {
  return told_apart(entry, index, fmt::format("{}s_per_second", entry.phases[index].noun));
}

std::uint64_t interval_of(std::span<const PhaseSample> samples) noexcept {
  if (samples.empty()) {
    return 0;
  }
  std::uint64_t sum = 0;
  std::uint64_t paused = 0;
  for (const PhaseSample& sample : samples) {
    sum += sample.elapsed();
    paused += sample.paused;
  }
  return paused != 0 ? sum : samples.back().end - samples.front().begin;
}

}  // namespace msgring::workload
