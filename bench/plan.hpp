// SPDX-License-Identifier: MIT
// Which benchmarks a command line asks for: workloads, each with its shape.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "msgring/workload/workload.hpp"
#include "options.hpp"

namespace msgring::bench {

/// One benchmark: a workload in one shape.
struct Planned {
  const workload::Entry* entry;
  workload::Options shape;
};

/// The names of `--workload` with `all` resolved. Throws Error (usage) for an unknown name, saying
/// the nearest one, and for one that is given twice.
std::vector<std::string> resolve_workloads(const std::vector<std::string>& names);

/// Every benchmark in the order of running: each workload's own defaults, overruled by what the
/// command line says about parameters that shape it; a list of slots gives one benchmark per size.
/// Throws Error (usage) for a fill above the slots and a table above what its kind may have.
std::vector<Planned> plan_of(const BenchOptions& options);

/// The sizes that shape a benchmark, as they stand in its name: {"slots", 4096}, {"batch", 64}.
std::vector<std::pair<std::string, std::int64_t>> sizes_of(const Planned& planned);

/// The pause before each round: `asked`, or long enough for the round before to leave nothing
/// behind. A kernel worker frees a closed ring's table (672 instructions a slot on Debian 7.3.4,
/// counted in an emulator), so that the usual 50 ms become 3 us for each slot where that is more.
std::chrono::microseconds gap_of(const Planned& planned,
                                 std::optional<std::chrono::microseconds> asked);

/// The distinct gaps of a plan, shortest first.
std::set<std::chrono::microseconds> gaps_of(const std::vector<Planned>& plan,
                                            std::optional<std::chrono::microseconds> asked);

/// Throws Error (usage) if no chosen workload uses `parameter`, naming those that do.
void refuse_without_effect(workload::Parameter parameter,
                           const std::vector<std::string>& workloads);

}  // namespace msgring::bench
