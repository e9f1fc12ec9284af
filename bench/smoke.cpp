// SPDX-License-Identifier: MIT
#include "smoke.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "machine.hpp"
#include "msgring/error.hpp"
#include "msgring/workload/round.hpp"
#include "plan.hpp"

namespace msgring::bench {
namespace {

/// The size of a smoke round, whatever the workload counts.
constexpr std::uint32_t kSmokeOperations = 256;
constexpr std::uint32_t kSmokeReplicates = 2;

std::size_t performed(const workload::CheckReport& report) {
  std::size_t count = 0;
  for (std::size_t index = 0; index < workload::kCheckCount; ++index) {
    count += report.was_performed(static_cast<workload::Check>(index)) ? 1U : 0U;
  }
  return count;
}

enum class Smoked { kPassed, kFailed, kSkipped };

Smoked smoke_one(const Planned& planned, int cpu) {
  const workload::Entry& entry = *planned.entry;
  std::unique_ptr<workload::Workload> workload;
  try {
    workload = entry.make(planned.shape);
  } catch (const Error& error) {
    if (error.status() != ExitStatus::kEnvironment) {
      throw;
    }
    fmt::print("skipped  {}: {}\n", entry.name, describe(error));
    return Smoked::kSkipped;
  }
  workload::Round round(*workload, cpu);
  round.run();
  const workload::RoundResult result = round.finish();
  for (std::size_t index = 0; index < result.samples.size(); ++index) {
    fmt::print("smoke    {}, {}: {} {}s\n", entry.name, entry.phases[index].name,
               result.samples[index].operations, entry.phases[index].noun);
  }
  fmt::print("checks   {} ({} kinds performed)\n", result.report.summary(),
             performed(result.report));
  return result.report.passed() ? Smoked::kPassed : Smoked::kFailed;
}

}  // namespace

ExitStatus smoke(const BenchOptions& options) {
  BenchOptions small = options;
  small.slots = {kSmokeOperations};
  small.operations = kSmokeOperations;
  small.replicates = kSmokeReplicates;
  const Machine machine = inspect_machine(small);
  prepare_machine(small, machine);
  ExitStatus status = ExitStatus::kEnvironment;  // until something ran
  for (const Planned& planned : plan_of(small)) {
    const Smoked smoked = smoke_one(planned, machine.cpu);
    if (smoked == Smoked::kFailed) {
      status = ExitStatus::kInvalid;
    } else if (smoked == Smoked::kPassed && status == ExitStatus::kEnvironment) {
      status = ExitStatus::kOk;
    }
  }
  return status;
}

}  // namespace msgring::bench
