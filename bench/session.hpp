// SPDX-License-Identifier: MIT
// What the benchmarks of one run share: the conditions, and how far they got.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "msgring/error.hpp"
#include "msgring/host/clock.hpp"
#include "msgring/workload/round.hpp"

namespace msgring::bench {

/// The conditions that hold for every round of a run.
struct Conduct {
  int cpu = 0;
  std::uint32_t rounds = 15;
  std::uint32_t warmup = 3;
  std::optional<std::chrono::microseconds> gap;  ///< what was asked for (plan.hpp)
  host::ClockKind clock = host::ClockKind::kMonotonicRaw;
};

/// How one benchmark (a workload with its parameters) went.
struct BenchmarkRecord {
  std::string name;  ///< as registered, without Google Benchmark's decorations
  const workload::Entry* entry = nullptr;
  std::vector<workload::RoundResult> rounds;  ///< the good ones, in order
  std::string failure;                        ///< why it ended early, or empty
  std::string skipped;                        ///< what this kernel lacks for it, or empty
  ExitStatus status = ExitStatus::kOk;        ///< what the failure means for the process
  std::vector<std::pair<std::string, std::string>> facts;
};

/// The benchmarks of a run, in the order of registration.
struct Session {
  Conduct conduct;
  std::vector<BenchmarkRecord> records;
};

}  // namespace msgring::bench
