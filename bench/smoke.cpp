// SPDX-License-Identifier: MIT
#include "smoke.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "machine.hpp"
#include "msgring/workload/round.hpp"

namespace msgring::bench {
namespace {

constexpr std::uint32_t kSmokeSlots = 256;

std::size_t performed(const workload::CheckReport& report) {
  std::size_t count = 0;
  for (std::size_t index = 0; index < workload::kCheckCount; ++index) {
    count += report.was_performed(static_cast<workload::Check>(index)) ? 1U : 0U;
  }
  return count;
}

bool smoke_one(const workload::Entry& entry, const workload::Options& shape, int cpu) {
  const std::unique_ptr<workload::Workload> workload = entry.make(shape);
  workload::Round round(*workload, cpu);
  round.run();
  const workload::RoundResult result = round.finish();
  for (std::size_t index = 0; index < result.samples.size(); ++index) {
    fmt::print("smoke    {}, {}: {} {}s\n", entry.name, entry.phases[index].name,
               result.samples[index].operations, entry.phases[index].noun);
  }
  fmt::print("checks   {} ({} kinds performed)\n", result.report.summary(),
             performed(result.report));
  return result.report.passed();
}

}  // namespace

ExitStatus smoke(const BenchOptions& options) {
  BenchOptions small = options;
  small.slots = {kSmokeSlots};
  small.shape.slots = kSmokeSlots;
  const Machine machine = inspect_machine(small);
  prepare_machine(small, machine);
  bool good = true;
  for (const std::string& name : small.workloads) {
    good = smoke_one(*workload::find_workload(name), small.shape, machine.cpu) && good;
  }
  return good ? ExitStatus::kOk : ExitStatus::kInvalid;
}

}  // namespace msgring::bench
