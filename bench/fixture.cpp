// SPDX-License-Identifier: MIT
#include "fixture.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>

#include "interrupt.hpp"
#include "msgring/error.hpp"

namespace msgring::bench {
namespace {

/// The modes that differ from the workload's own, as parts of the benchmark's name.
std::string variant_of(const Planned& planned) {
  const workload::Options& shape = planned.shape;
  const workload::Options& own = planned.entry->defaults;
  std::string text;
  if (shape.slot_mode != own.slot_mode) {
    text += "/slot_mode:explicit";
  }
  if (shape.target_completion != own.target_completion) {
    text += "/cqe:skip";
  }
  if (shape.source_profile != own.source_profile) {
    text += fmt::format("/source:{}", profile_text(shape.source_profile));
  }
  if (shape.target_profile != own.target_profile) {
    text += fmt::format("/target:{}", profile_text(shape.target_profile));
  }
  return text;
}

class WorkloadFixture : public benchmark::Fixture {
 public:
  WorkloadFixture(const Planned& planned, Session& session)
      : entry_(*planned.entry),
        shape_(planned.shape),
        gap_(gap_of(planned, session.conduct.gap)),
        session_(session),
        record_(session.records.size()) {
    const std::string name = std::string(entry_.name) + variant_of(planned);
    SetName(name.c_str());
    BenchmarkRecord& record = session.records.emplace_back();
    record.name = name;
    for (const auto& [key, value] : sizes_of(planned)) {
      record.name += fmt::format("/{}:{}", key, value);
    }
    record.entry = &entry_;
  }

 protected:
  void BenchmarkCase(benchmark::State& state) override {
    const std::string problem = attempt(state);
    if (!problem.empty()) {
      // The library's statistics want as many iterations of every repetition, so one that did not
      // come to its loop runs it empty.
      if (state.iterations() == 0) {
        for ([[maybe_unused]] auto _ : state) {
        }
      }
      state.SkipWithError(problem.c_str());
    }
    if (++repetitions_ == session_.conduct.rounds) {
      workload_.reset();
    }
  }

 private:
  BenchmarkRecord& record() { return session_.records[record_]; }

  /// One repetition: a round, unless the run has ended. Returns what is wrong with it, or nothing.
  std::string attempt(benchmark::State& state) {
    try {
      if (record().failure.empty() && record().skipped.empty() && interrupted() == 0) {
        return run_round(state);
      }
    } catch (const std::exception& error) {
      return fail(describe(error), exit_status_of(error));
    }
    if (!record().skipped.empty()) {
      return "not run: " + record().skipped;
    }
    return fail("not run: the benchmark had ended", record().status);
  }

  std::string run_round(benchmark::State& state) {
    if (!workload_ && !start()) {
      return "not run: " + record().skipped;
    }
    sleep_unless_interrupted(gap_);
    workload::Round round(*workload_, session_.conduct.cpu);
    for ([[maybe_unused]] auto _ : state) {
      round.run();
      // A tick is a nanosecond, or stands in its place: Google Benchmark wants seconds.
      state.SetIterationTime(static_cast<double>(workload::interval_of(workload_->samples())) *
                             1e-9);
    }
    workload::RoundResult result = round.finish();
    if (interrupted() == 0 && !result.report.passed()) {
      return fail(result.report.summary(), ExitStatus::kInvalid);
    }
    if (interrupted() != 0) {
      return fail("not run: dropped at the signal", ExitStatus::kInterrupted);
    }
    count(state, result);
    record().rounds.push_back(std::move(result));
    return {};
  }

  /// Ends the benchmark with its first reason; "not run:" marks rows that the point leaves out.
  std::string fail(const std::string& why, ExitStatus status) {
    if (record().failure.empty()) {
      record().failure = interrupted() != 0 ? signal_name(interrupted()) : why;
      record().status = interrupted() != 0 ? ExitStatus::kInterrupted : status;
    }
    return why;
  }

  /// Builds the workload and runs the rounds that are not kept. False: this kernel lacks it.
  bool start() {
    try {
      workload_ = entry_.make(shape_);
    } catch (const Error& error) {
      if (error.status() != ExitStatus::kEnvironment) {
        throw;
      }
      record().skipped = describe(error);
      return false;
    }
    record().facts = workload_->facts();
    for (std::uint32_t turn = 0; turn < session_.conduct.warmup && interrupted() == 0; ++turn) {
      sleep_unless_interrupted(gap_);
      workload::Round round(*workload_, session_.conduct.cpu);
      round.run();
      const workload::RoundResult result = round.finish();
      if (!result.report.passed()) {
        throw Error(ExitStatus::kInvalid,
                    fmt::format("warm-up round {}: {}", turn, result.report.summary()));
      }
    }
    return true;
  }

  void count(benchmark::State& state, const workload::RoundResult& result) {
    const std::string unit(host::unit_text(host::unit_of(session_.conduct.clock)));
    auto& counters = state.counters;
    counters["round"] = static_cast<double>(record().rounds.size());
    count_phases(counters, result, unit);
    counters["interval_" + unit] = static_cast<double>(workload::interval_of(result.samples));
    for (const workload::Counter& counter : result.counters) {
      counters[counter.name] = counter.value;
    }
    counters["cpu"] = result.cpu;
    counters["enter_calls"] = result.enters.calls;
    counters["enter_extra_calls"] = result.enters.extra_calls;
    counters["enter_interrupted"] = result.enters.interrupted;
    counters["involuntary_switches"] = static_cast<double>(result.involuntary_switches);
    counters["minor_faults"] = static_cast<double>(result.minor_faults);
    for (std::size_t index = 0; index < workload::kCheckCount; ++index) {
      const auto check = static_cast<workload::Check>(index);
      if (result.report.was_performed(check)) {
        counters["check." + std::string(workload::check_name(check))] =
            static_cast<double>(result.report.failures(check));
      }
    }
  }

  void count_phases(benchmark::UserCounters& counters, const workload::RoundResult& result,
                    const std::string& unit) const {
    for (std::size_t index = 0; index < result.samples.size(); ++index) {
      const workload::PhaseSample& sample = result.samples[index];
      const workload::PhaseInfo& phase = entry_.phases[index];
      const auto elapsed = static_cast<double>(sample.elapsed());
      const auto operations = static_cast<double>(sample.operations);
      counters[fmt::format("{}_{}", phase.name, unit)] = elapsed;
      counters[fmt::format("{}_operations", phase.name)] = operations;
      if (sample.operations == 0 || sample.elapsed() == 0) {
        continue;
      }
      counters[workload::cost_name(entry_, index, host::unit_of(session_.conduct.clock))] =
          elapsed / operations;
      if (host::unit_of(session_.conduct.clock) == host::Unit::kNanoseconds) {
        counters[workload::rate_name(entry_, index)] = operations / elapsed * 1e9;
      }
    }
  }

  const workload::Entry& entry_;
  workload::Options shape_;
  std::chrono::microseconds gap_;
  Session& session_;
  std::size_t record_;
  std::unique_ptr<workload::Workload> workload_;
  std::uint32_t repetitions_ = 0;
};

}  // namespace

void register_benchmark(const Planned& planned, Session& session) {
  auto* fixture = new WorkloadFixture(planned, session);  // Google Benchmark keeps it
  std::vector<std::string> names;
  std::vector<std::int64_t> values;
  for (const auto& [name, value] : sizes_of(planned)) {
    names.push_back(name);
    values.push_back(value);
  }
  benchmark::internal::RegisterBenchmarkInternal(fixture)
      ->ArgNames(names)
      ->Args(values)
      ->Unit(benchmark::kNanosecond)
      ->Iterations(1)
      ->Repetitions(static_cast<int>(session.conduct.rounds))
      ->UseManualTime();
}

}  // namespace msgring::bench
