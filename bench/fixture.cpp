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

/// The parameters that differ from the reported shape, as parts of the benchmark's name.
std::string variant_of(const workload::Options& shape) {
  const workload::Options reported;
  std::string text;
  if (shape.slot_mode != reported.slot_mode) {
    text += "/slot_mode:explicit";
  }
  if (shape.target_completion != reported.target_completion) {
    text += "/cqe:skip";
  }
  if (shape.source_profile != reported.source_profile) {
    text += fmt::format("/source:{}", profile_text(shape.source_profile));
  }
  if (shape.target_profile != reported.target_profile) {
    text += fmt::format("/target:{}", profile_text(shape.target_profile));
  }
  return text;
}

class WorkloadFixture : public benchmark::Fixture {
 public:
  WorkloadFixture(const workload::Entry& entry, const workload::Options& shape, Session& session)
      : entry_(entry), shape_(shape), session_(session), record_(session.records.size()) {
    const std::string name = std::string(entry.name) + variant_of(shape);
    SetName(name.c_str());
    BenchmarkRecord& record = session.records.emplace_back();
    record.name = fmt::format("{}/slots:{}/batch:{}", name, shape.slots, shape.batch);
    record.entry = &entry;
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
      if (record().failure.empty() && interrupted() == 0) {
        return run_round(state);
      }
    } catch (const std::exception& error) {
      return fail(describe(error), exit_status_of(error));
    }
    return fail("not run: the benchmark had ended", record().status);
  }

  std::string run_round(benchmark::State& state) {
    if (!workload_) {
      start();
    }
    sleep_unless_interrupted(session_.conduct.gap);
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

  /// Builds the workload and runs the rounds that are not kept.
  void start() {
    workload_ = entry_.make(shape_);
    record().facts = workload_->facts();
    for (std::uint32_t turn = 0; turn < session_.conduct.warmup && interrupted() == 0; ++turn) {
      sleep_unless_interrupted(session_.conduct.gap);
      workload::Round round(*workload_, session_.conduct.cpu);
      round.run();
      const workload::RoundResult result = round.finish();
      if (!result.report.passed()) {
        throw Error(ExitStatus::kInvalid,
                    fmt::format("warm-up round {}: {}", turn, result.report.summary()));
      }
    }
  }

  void count(benchmark::State& state, const workload::RoundResult& result) {
    const std::string unit(host::unit_text(host::unit_of(session_.conduct.clock)));
    auto& counters = state.counters;
    counters["round"] = static_cast<double>(record().rounds.size());
    count_phases(counters, result, unit);
    counters["interval_" + unit] = static_cast<double>(workload::interval_of(result.samples));
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
        counters[fmt::format("{}s_per_second", phase.noun)] = operations / elapsed * 1e9;
      }
    }
  }

  const workload::Entry& entry_;
  workload::Options shape_;
  Session& session_;
  std::size_t record_;
  std::unique_ptr<workload::Workload> workload_;
  std::uint32_t repetitions_ = 0;
};

}  // namespace

void register_benchmark(const workload::Entry& entry, const workload::Options& shape,
                        Session& session) {
  auto* fixture = new WorkloadFixture(entry, shape, session);  // Google Benchmark keeps it
  benchmark::internal::RegisterBenchmarkInternal(fixture)
      ->ArgNames({"slots", "batch"})
      ->Args({shape.slots, shape.batch})
      ->Unit(benchmark::kNanosecond)
      ->Iterations(1)
      ->Repetitions(static_cast<int>(session.conduct.rounds))
      ->UseManualTime();
}

}  // namespace msgring::bench
