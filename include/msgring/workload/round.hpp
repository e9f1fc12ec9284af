// SPDX-License-Identifier: MIT
// One round of any workload: run, then prove, then clean up.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "msgring/workload/workload.hpp"

namespace msgring::workload {

/// What one round gave. The samples may be used only if `report.passed()`.
struct RoundResult {
  std::vector<PhaseSample> samples;
  EnterLog enters;
  CheckReport report;
  std::vector<Counter> counters;          ///< only of a round that passed
  int cpu = -1;                           ///< where run() ended
  std::int64_t involuntary_switches = 0;  ///< times the scheduler took the CPU away during run()
  std::int64_t minor_faults = 0;          ///< page faults during run()
};

/// One round of a workload on the pinned CPU `cpu`. The constructor prepares, the destructor tears
/// down; run() and finish() are called once each, in this order.
class Round {
 public:
  /// Throws what prepare() throws; the workload is torn down first.
  Round(Workload& workload, int cpu);
  ~Round();
  Round(const Round&) = delete;
  Round& operator=(const Round&) = delete;

  /// The timed phases. Nothing but the workload's run() and the readings that frame it.
  void run() noexcept;

  /// All checks, the workload's own and those of the conditions: still on the pinned CPU, the same
  /// clock source. Throws what check() throws.
  RoundResult finish();

 private:
  struct Reading {
    int cpu;
    std::int64_t involuntary_switches;
    std::int64_t minor_faults;
  };
  static Reading read() noexcept;

  Workload& workload_;
  int pinned_cpu_;
  std::string clock_source_;
  Reading before_{};
  Reading after_{};
};

}  // namespace msgring::workload
