// SPDX-License-Identifier: MIT
#include "plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

#include "msgring/error.hpp"

namespace msgring::bench {
namespace {

using workload::Entry;
using workload::Parameter;

/// Levenshtein's distance: letters to insert, delete or replace between two words.
std::size_t distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), 0U);
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i - 1] == to[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

/// A name that holds what was typed comes before one that only has similar letters.
std::string_view nearest_name(std::string_view name) {
  const auto unlikeness = [&](const Entry& entry) {
    const bool holds_it = entry.name.find(name) != std::string_view::npos;
    return std::pair(holds_it ? 0 : 1, distance(name, entry.name));
  };
  const auto entries = workload::registry();
  return std::min_element(
             entries.begin(), entries.end(),
             [&](const Entry& a, const Entry& b) { return unlikeness(a) < unlikeness(b); })
      ->name;
}

/// The value on the command line, where it shapes the workload; its own default otherwise.
template <class Value, class Asked>
Value chosen(const Entry& entry, Parameter parameter, const Asked& asked, Value own) {
  return asked && uses(entry, parameter) ? Value(*asked) : own;
}

workload::Options shape_of(const BenchOptions& options, const Entry& entry, std::uint32_t slots) {
  workload::Options shape = entry.defaults;
  shape.slots = slots;
  shape.batch = chosen(entry, Parameter::kBatch, options.batch, shape.batch);
  shape.fill = chosen(entry, Parameter::kFill, options.fill, shape.fill);
  shape.operations = chosen(entry, Parameter::kOperations, options.operations, shape.operations);
  shape.replicates = chosen(entry, Parameter::kReplicates, options.replicates, shape.replicates);
  shape.slot_mode = chosen(entry, Parameter::kSlotMode, options.slot_mode, shape.slot_mode);
  shape.target_completion = chosen(entry, Parameter::kTargetCompletion, options.target_completion,
                                   shape.target_completion);
  shape.source_profile =
      chosen(entry, Parameter::kSourceProfile, options.source_profile, shape.source_profile);
  shape.target_profile =
      chosen(entry, Parameter::kTargetProfile, options.target_profile, shape.target_profile);
  shape.clock = options.clock;
  shape.tails = options.tails;
  return shape;
}

void refuse_impossible(const Planned& planned) {
  const workload::Options& shape = planned.shape;
  if (workload::installs_of(shape) > shape.slots) {
    throw Error(ExitStatus::kUsage,
                fmt::format("--fill {}: more than the {} slots of {}", *shape.fill, shape.slots,
                            planned.entry->name),
                "give 0 to the number of slots");
  }
  if (shape.slots > planned.entry->most_slots) {
    throw Error(ExitStatus::kUsage,
                fmt::format("--slots {}: the table of {} holds at most {}", shape.slots,
                            planned.entry->name, planned.entry->most_slots),
                "give fewer slots, or leave the workload out");
  }
}

}  // namespace

std::vector<std::string> resolve_workloads(const std::vector<std::string>& names) {
  std::vector<std::string> resolved;
  std::set<std::string_view> seen;
  const auto add = [&](std::string_view name) {
    const Entry* const entry = workload::find_workload(name);
    if (entry == nullptr) {
      throw Error(ExitStatus::kUsage, fmt::format("--workload: '{}' is unknown", name),
                  fmt::format("did you mean {}? --list names them all", nearest_name(name)));
    }
    if (!seen.insert(entry->name).second) {
      throw Error(ExitStatus::kUsage, fmt::format("--workload: {} is given twice", name),
                  "name each once; all names every one");
    }
    resolved.emplace_back(name);
  };
  for (const std::string& name : names) {
    if (name != "all") {
      add(name);
      continue;
    }
    for (const Entry& entry : workload::registry()) {
      add(entry.name);
    }
  }
  return resolved;
}

std::vector<Planned> plan_of(const BenchOptions& options) {
  std::vector<Planned> plan;
  for (const std::string& name : options.workloads) {
    const Entry& entry = *workload::find_workload(name);
    const bool asked = !options.slots.empty() && uses(entry, Parameter::kSlots);
    for (const std::uint32_t slots :
         asked ? options.slots : std::vector<std::uint32_t>{entry.defaults.slots}) {
      plan.push_back({&entry, shape_of(options, entry, slots)});
      refuse_impossible(plan.back());
    }
  }
  return plan;
}

std::vector<std::pair<std::string, std::int64_t>> sizes_of(const Planned& planned) {
  const workload::Options& shape = planned.shape;
  const std::pair<Parameter, std::int64_t> all[] = {
      {Parameter::kSlots, shape.slots},           {Parameter::kFill, workload::installs_of(shape)},
      {Parameter::kBatch, shape.batch},           {Parameter::kOperations, shape.operations},
      {Parameter::kReplicates, shape.replicates},
  };
  std::vector<std::pair<std::string, std::int64_t>> sizes;
  for (const auto& [parameter, value] : all) {
    if (uses(*planned.entry, parameter)) {
      sizes.emplace_back(workload::option_name(parameter).substr(2), value);
    }
  }
  return sizes;
}

std::chrono::microseconds gap_of(const Planned& planned,
                                 std::optional<std::chrono::microseconds> asked) {
  constexpr std::chrono::microseconds kUsual{50'000};
  constexpr std::chrono::microseconds kPerSlot{3};
  return asked.value_or(std::max(kUsual, kPerSlot * std::int64_t{planned.shape.slots}));
}

std::set<std::chrono::microseconds> gaps_of(const std::vector<Planned>& plan,
                                            std::optional<std::chrono::microseconds> asked) {
  std::set<std::chrono::microseconds> gaps;
  for (const Planned& planned : plan) {
    gaps.insert(gap_of(planned, asked));
  }
  return gaps;
}

void refuse_without_effect(Parameter parameter, const std::vector<std::string>& workloads) {
  const auto used = [&](const std::string& name) {
    return uses(*workload::find_workload(name), parameter);
  };
  if (std::any_of(workloads.begin(), workloads.end(), used)) {
    return;
  }
  std::string users;
  for (const Entry& entry : workload::registry()) {
    if (uses(entry, parameter)) {
      users += fmt::format("{}{}", users.empty() ? "" : ", ", entry.name);
    }
  }
  throw Error(ExitStatus::kUsage,
              fmt::format("{}: without effect on {}", workload::option_name(parameter),
                          fmt::join(workloads, ", ")),
              "it goes with " + users);
}

}  // namespace msgring::bench
