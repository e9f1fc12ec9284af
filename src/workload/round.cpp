// SPDX-License-Identifier: MIT
#include "msgring/workload/round.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>

#include "msgring/host/clock_source.hpp"
#include "workload/conditions.hpp"

namespace msgring::workload {
void check_cpu(int pinned, int before, int after, CheckReport& report) {
  report.performed(Check::kCpuMigrated);
  if (before != pinned || after != pinned) {
    report.fail(Check::kCpuMigrated,
                fmt::format("pinned to CPU {}, began on {}, ended on {}", pinned, before, after));
  }
}

void check_clock_source(const std::string& before, const std::string& after, CheckReport& report) {
  report.performed(Check::kClockSource);
  if (before != after) {
    report.fail(Check::kClockSource, fmt::format("{} became {}", before, after));
  }
}

Round::Round(Workload& workload, int cpu)
    : workload_(workload), pinned_cpu_(cpu), clock_source_(host::clock_source({})) {
  try {
    workload_.prepare();
  } catch (...) {
    workload_.teardown();
    throw;
  }
}

Round::~Round() { workload_.teardown(); }

Round::Reading Round::read() noexcept {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return {::sched_getcpu(), usage.ru_nivcsw, usage.ru_minflt};
}

void Round::run() noexcept {
  before_ = read();
  workload_.run();
  after_ = read();
}

RoundResult Round::finish() {
  RoundResult result;
  check_cpu(pinned_cpu_, before_.cpu, after_.cpu, result.report);
  check_clock_source(clock_source_, host::clock_source({}), result.report);
  workload_.check(result.report);
  result.samples.assign(workload_.samples().begin(), workload_.samples().end());
  result.enters = workload_.enters();
  if (result.report.passed()) {
    result.counters = workload_.counters();
  }
  result.cpu = after_.cpu;
  result.involuntary_switches = after_.involuntary_switches - before_.involuntary_switches;
  result.minor_faults = after_.minor_faults - before_.minor_faults;
  return result;
}

}  // namespace msgring::workload
