// SPDX-License-Identifier: MIT
#include "summary.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace msgring::bench {
namespace {

using workload::RoundResult;

host::Unit unit_of(const Session& session) { return host::unit_of(session.conduct.clock); }

/// Ticks per operation of phase `index`, or ticks where nothing is counted.
double cost_of(const RoundResult& round, std::size_t index) {
  const workload::PhaseSample& sample = round.samples[index];
  const auto elapsed = static_cast<double>(sample.elapsed());
  return sample.operations == 0 ? elapsed : elapsed / static_cast<double>(sample.operations);
}

double find(const Aggregates& aggregates, const std::string& name, const std::string& aggregate,
            const std::string& counter) {
  const auto benchmark = aggregates.find(name);
  if (benchmark == aggregates.end()) {
    return 0;
  }
  const auto figures = benchmark->second.find(aggregate);
  if (figures == benchmark->second.end()) {
    return 0;
  }
  const auto value = figures->second.find(counter);
  return value == figures->second.end() ? 0 : value->second;
}

std::string phase_line(const Session& session, const Aggregates& aggregates,
                       const BenchmarkRecord& record, std::size_t index) {
  const std::string cost = workload::cost_name(*record.entry, index, unit_of(session));
  const std::string label =
      fmt::format("  {:<10} {}/{}", record.entry->phases[index].name,
                  host::unit_text(unit_of(session)), record.entry->phases[index].noun);
  if (record.rounds.size() == 1) {
    return fmt::format("{:<36} {:12.3f}   (one round: no mean, no CV)\n", label,
                       cost_of(record.rounds.front(), index));
  }
  return fmt::format("{:<36} {:12.3f} {:12.3f} {:9.3f} {:4}\n", label,
                     find(aggregates, record.name, "mean", cost),
                     find(aggregates, record.name, "median", cost),
                     100 * find(aggregates, record.name, "cv", cost), record.rounds.size());
}

std::string rounds_table(const BenchmarkRecord& record, const Session& session) {
  const std::string_view unit = host::unit_text(unit_of(session));
  std::string text = fmt::format("  {:>5}", "round");
  for (const workload::PhaseInfo& phase : record.entry->phases) {
    text += fmt::format("  {:>16}  {:>22}", fmt::format("{} {}", phase.name, unit),
                        fmt::format("{}/{}", unit, phase.noun));
  }
  text += "  cpu\n";
  for (std::size_t number = 0; number < record.rounds.size(); ++number) {
    const RoundResult& round = record.rounds[number];
    text += fmt::format("  {:>5}", number);
    for (std::size_t index = 0; index < round.samples.size(); ++index) {
      text +=
          fmt::format("  {:>16}  {:>22.3f}", round.samples[index].elapsed(), cost_of(round, index));
    }
    text += fmt::format("  {:>3}\n", round.cpu);
  }
  return text;
}

/// Rounds that were not alone on their CPU. Their numbers stand; a reader should know of them.
std::string disturbance_line(const Session& session) {
  std::size_t rounds = 0;
  std::size_t disturbed = 0;
  for (const BenchmarkRecord& record : session.records) {
    rounds += record.rounds.size();
    disturbed += static_cast<std::size_t>(
        std::count_if(record.rounds.begin(), record.rounds.end(),
                      [](const RoundResult& round) { return round.involuntary_switches != 0; }));
  }
  if (disturbed == 0) {
    return {};
  }
  return fmt::format("note     in {} of {} rounds another task took the CPU away\n", disturbed,
                     rounds);
}

std::string checks_line(const Session& session) {
  std::size_t rounds = 0;
  std::size_t performed = 0;
  std::string failures;
  for (const BenchmarkRecord& record : session.records) {
    rounds += record.rounds.size();
    if (!record.failure.empty()) {
      failures += fmt::format("checks   {}: ended after {} of {} rounds: {}\n", record.name,
                              record.rounds.size(), session.conduct.rounds, record.failure);
    }
    for (std::size_t check = 0; check < workload::kCheckCount && !record.rounds.empty(); ++check) {
      performed += record.rounds.front().report.was_performed(static_cast<workload::Check>(check));
    }
  }
  if (!failures.empty()) {
    return failures;
  }
  return fmt::format("checks   all passed: {} kinds in each of {} rounds\n",
                     session.records.empty() ? 0 : performed / session.records.size(), rounds);
}

}  // namespace

std::string summarize(const BenchOptions& options, const MachineLines& machine,
                      const Session& session, const Aggregates& aggregates) {
  std::string text = fmt::format("kernel   {}\ncpu      {}\n", machine.kernel, machine.cpu);
  if (unit_of(session) == host::Unit::kInstructions) {
    text += "unit     emulated instructions, not time: nothing here speaks of caches or speed\n";
  }
  text += fmt::format("{:<36} {:>12} {:>12} {:>9} {:>4}\n", "", "mean", "median", "CV %", "n");
  for (const BenchmarkRecord& record : session.records) {
    if (record.rounds.empty()) {
      continue;
    }
    text += record.name + "\n";
    for (std::size_t index = 0; index < record.entry->phases.size(); ++index) {
      text += phase_line(session, aggregates, record, index);
    }
    if (options.rounds_table == RoundsTable::kYes) {
      text += rounds_table(record, session);
    }
  }
  return text + disturbance_line(session) + checks_line(session);
}

}  // namespace msgring::bench
