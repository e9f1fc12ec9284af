// SPDX-License-Identifier: MIT
#include "summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "msgring/workload/tails.hpp"

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

/// One figure over the rounds: `only` is its value where there is one round.
std::string figure_line(const Aggregates& aggregates, const BenchmarkRecord& record,
                        const std::string& label, const std::string& counter, double only) {
  if (record.rounds.size() == 1) {
    return fmt::format("{:<36} {:12.3f}   (one round: no mean, no CV)\n", label, only);
  }
  return fmt::format("{:<36} {:12.3f} {:12.3f} {:9.3f} {:4}\n", label,
                     find(aggregates, record.name, "mean", counter),
                     find(aggregates, record.name, "median", counter),
                     100 * find(aggregates, record.name, "cv", counter), record.rounds.size());
}

std::string phase_line(const Session& session, const Aggregates& aggregates,
                       const BenchmarkRecord& record, std::size_t index) {
  const workload::PhaseInfo& phase = record.entry->phases[index];
  const std::string_view unit = host::unit_text(unit_of(session));
  if (record.rounds.front().samples[index].operations == 0) {
    return fmt::format("  {:<10} no {}s\n", phase.name, phase.noun);
  }
  return figure_line(aggregates, record,
                     fmt::format("  {:<10} {}/{}", phase.name, unit, phase.noun),
                     workload::cost_name(*record.entry, index, unit_of(session)),
                     cost_of(record.rounds.front(), index));
}

std::string interval_line(const Session& session, const Aggregates& aggregates,
                          const BenchmarkRecord& record) {
  if (record.entry->interval == workload::Interval::kImplied) {
    return {};
  }
  const std::string_view unit = host::unit_text(unit_of(session));
  return figure_line(aggregates, record, fmt::format("  {:<10} {}/round", "interval", unit),
                     fmt::format("interval_{}", unit),
                     static_cast<double>(workload::interval_of(record.rounds.front().samples)));
}

/// Is `counter` one of a phase's tails, p50 to max?
bool is_tail(std::string_view counter) {
  return counter.find("_p50_") != std::string_view::npos ||
         counter.find("_p90_") != std::string_view::npos ||
         counter.find("_p99_") != std::string_view::npos ||
         counter.find("_max_") != std::string_view::npos;
}

/// What a workload counts beyond its phases: medians over the rounds, in the column of medians.
std::string counter_lines(const Aggregates& aggregates, const BenchmarkRecord& record) {
  std::string text;
  for (const workload::Counter& counter : record.rounds.front().counters) {
    const double median = record.rounds.size() == 1
                              ? counter.value
                              : find(aggregates, record.name, "median", counter.name);
    text += fmt::format("    {:<32} {:12} {:12.3f}{}\n", counter.name, "", median,
                        is_tail(counter.name) ? "   per operation, by batch" : "");
  }
  return text;
}

/// What the timing of batches itself costs.
std::string tails_line(const BenchOptions& options, const Session& session) {
  if (options.tails == workload::Tails::kOff) {
    return {};
  }
  return fmt::format("tails    two clock readings a batch add about {:.1f} {} to it\n",
                     workload::batch_clock_cost(session.conduct.clock),
                     host::unit_text(unit_of(session)));
}

std::string skipped_lines(const Session& session) {
  std::string text;
  for (const BenchmarkRecord& record : session.records) {
    if (!record.skipped.empty()) {
      text += fmt::format("skipped  {}: {}\n", record.name, record.skipped);
    }
  }
  return text;
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

/// Kinds of checks that a round of this benchmark performed.
std::size_t kinds_of_checks(const BenchmarkRecord& record) {
  std::size_t kinds = 0;
  for (std::size_t check = 0; check < workload::kCheckCount; ++check) {
    kinds +=
        record.rounds.front().report.was_performed(static_cast<workload::Check>(check)) ? 1U : 0U;
  }
  return kinds;
}

std::string checks_line(const Session& session) {
  std::size_t rounds = 0;
  std::string failures;
  std::set<std::size_t> kinds;
  for (const BenchmarkRecord& record : session.records) {
    rounds += record.rounds.size();
    if (!record.failure.empty()) {
      failures += fmt::format("checks   {}: ended after {} of {} rounds: {}\n", record.name,
                              record.rounds.size(), session.conduct.rounds, record.failure);
    } else if (!record.rounds.empty()) {
      kinds.insert(kinds_of_checks(record));
    }
  }
  if (!failures.empty()) {
    return failures;
  }
  const std::string range = kinds.size() < 2
                                ? std::to_string(kinds.empty() ? 0 : *kinds.begin())
                                : fmt::format("{} to {}", *kinds.begin(), *kinds.rbegin());
  return fmt::format("checks   all passed: {} kinds in each of {} rounds\n", range, rounds);
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
    text += interval_line(session, aggregates, record);
    text += counter_lines(aggregates, record);
    if (options.rounds_table == RoundsTable::kYes) {
      text += rounds_table(record, session);
    }
  }
  return text + tails_line(options, session) + skipped_lines(session) + disturbance_line(session) +
         checks_line(session);
}

}  // namespace msgring::bench
