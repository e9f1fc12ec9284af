// SPDX-License-Identifier: MIT
// msgring_bench's command line: what was asked, validated.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "msgring/workload/options.hpp"

namespace msgring::bench {

/// What the program is to do.
enum class Task {
  kMeasure,   ///< rounds, a summary, a point file
  kDescribe,  ///< say what would be done, touch nothing
  kSmoke,     ///< 256 installs with all checks, untimed
  kList,      ///< the workloads
  kVersion,
  kHelp
};

/// How long to wait, once, before the first round.
enum class SettlePolicy {
  kAuto,  ///< until the machine is idle, if its boot is fresh
  kNone,
  kSeconds
};

enum class ExistingFile { kRefuse, kOverwrite };
enum class RoundsTable { kNo, kYes };

/// Everything that the command line says.
struct BenchOptions {
  Task task = Task::kMeasure;
  std::vector<std::string> workloads{"first_fill"};  ///< `all` resolved
  /// What shapes the workloads: nothing where each keeps its own default (plan.hpp).
  std::vector<std::uint32_t> slots;
  std::optional<std::uint32_t> batch;
  std::optional<std::uint32_t> fill;
  std::optional<std::uint32_t> operations;
  std::optional<std::uint32_t> replicates;
  std::optional<workload::SlotMode> slot_mode;
  std::optional<workload::TargetCompletion> target_completion;
  std::optional<workload::RingProfile> source_profile;
  std::optional<workload::RingProfile> target_profile;
  host::ClockKind clock = host::ClockKind::kMonotonicRaw;
  workload::Tails tails = workload::Tails::kOff;
  std::uint32_t rounds = 15;
  std::uint32_t warmup = 3;
  std::optional<int> cpu;                        ///< none: the best one that is allowed
  std::optional<std::chrono::microseconds> gap;  ///< none: as long as a teardown takes (plan.hpp)
  SettlePolicy settle = SettlePolicy::kAuto;
  double settle_s = 0;
  std::string out;  ///< empty: a name from kernel and time; "-": standard output
  ExistingFile existing = ExistingFile::kRefuse;
  RoundsTable rounds_table = RoundsTable::kNo;
  std::vector<std::string> benchmark_flags;  ///< --benchmark_*: Google Benchmark's own
  std::string arguments;                     ///< the command line as typed, shell-quoted
  std::string help;                          ///< kHelp: the text
};

/// Parses `arguments` (without the program's name). Throws Error (usage) with one line that says
/// what is wrong and what is allowed.
BenchOptions parse_options(const std::vector<std::string>& arguments);

}  // namespace msgring::bench
