// SPDX-License-Identifier: MIT
#include "measure.hpp"

#include <benchmark/benchmark.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "describe.hpp"
#include "fixture.hpp"
#include "identity.hpp"
#include "interrupt.hpp"
#include "machine.hpp"
#include "msgring/host/facts.hpp"
#include "msgring/host/output_file.hpp"
#include "msgring/host/root.hpp"
#include "msgring/host/settle.hpp"
#include "msgring/point/assemble.hpp"
#include "reporter.hpp"
#include "summary.hpp"

namespace msgring::bench {
namespace {

/// The user wants out before anything was measured.
[[noreturn]] void throw_interrupted() {
  throw Error(ExitStatus::kInterrupted, fmt::format("{} before the first round: nothing was kept",
                                                    signal_name(interrupted())));
}

/// Waits as `--settle` says; returns what it did, for the point.
std::string settle(const BenchOptions& options) {
  const auto leave_if_interrupted = [] {
    if (interrupted() != 0) {
      throw_interrupted();
    }
  };
  if (options.settle == SettlePolicy::kNone) {
    return "none";
  }
  if (options.settle == SettlePolicy::kSeconds) {
    sleep_unless_interrupted(
        std::chrono::microseconds(static_cast<std::int64_t>(options.settle_s * 1e6)));
    leave_if_interrupted();
    return fmt::format("{} s as asked", options.settle_s);
  }
  return host::settle_until_idle({}, host::this_machine(leave_if_interrupted)).text;
}

/// Gives Google Benchmark its own flags. It keeps pointers, so the words outlive the run.
void initialize_library(const BenchOptions& options) {
  static std::vector<std::string> words;
  words = {"msgring_bench"};
  words.insert(words.end(), options.benchmark_flags.begin(), options.benchmark_flags.end());
  static std::vector<char*> pointers;
  pointers.clear();
  std::transform(words.begin(), words.end(), std::back_inserter(pointers),
                 [](std::string& word) { return word.data(); });
  int count = static_cast<int>(pointers.size());
  pointers.push_back(nullptr);
  benchmark::Initialize(&count, pointers.data());
  if (count > 1) {
    throw Error(ExitStatus::kUsage,
                fmt::format("{}: Google Benchmark does not know this flag", pointers[1]),
                "see its documentation for the flags of the installed version");
  }
}

bool has_flag(const BenchOptions& options, std::string_view flag) {
  return std::any_of(options.benchmark_flags.begin(), options.benchmark_flags.end(),
                     [&](const std::string& word) { return word.starts_with(flag); });
}

/// Everything that all rounds of this run have in common.
Session make_session(const BenchOptions& options, int cpu) {
  Session session;
  session.conduct = {cpu, options.rounds, options.warmup, options.gap, options.clock};
  return session;
}

void register_all(const std::vector<Planned>& plan, Session& session) {
  benchmark::ClearRegisteredBenchmarks();
  for (const Planned& planned : plan) {
    register_benchmark(planned, session);
  }
}

/// What can only be said after the rounds.
host::Facts outcome_facts(const Session& session) {
  host::Facts facts;
  std::string failures;
  std::size_t kept = 0;
  std::size_t due = 0;
  for (const BenchmarkRecord& record : session.records) {
    kept += record.rounds.size();
    due += record.skipped.empty() ? session.conduct.rounds : 0;
    if (!record.failure.empty()) {
      failures +=
          fmt::format("{}{}: {}", failures.empty() ? "" : "; ", record.name, record.failure);
    }
  }
  facts.emplace_back("msgring.complete",
                     kept == due ? "yes" : fmt::format("no ({} of {} rounds)", kept, due));
  const bool failed = interrupted() == 0 && !failures.empty();
  facts.emplace_back("msgring.checks", failed ? fmt::format("failed ({})", failures) : "passed");
  return facts;
}

/// The phases as phases_text() has them, without those in which the rounds did nothing (`--fill
/// 0`): they have no cost.
std::string measured_phases(const BenchmarkRecord& record) {
  if (record.rounds.empty()) {
    return phases_text(*record.entry);
  }
  workload::Entry entry = *record.entry;
  std::vector<workload::PhaseInfo> phases;
  for (std::size_t index = 0; index < entry.phases.size(); ++index) {
    if (record.rounds.front().samples[index].operations != 0) {
      phases.push_back(entry.phases[index]);
    }
  }
  entry.phases = phases;
  return phases_text(entry);
}

/// Phases, flags in force and sizes of each workload that ran. Where sizes differ between the
/// benchmarks of one workload, the first one's facts stand.
host::Facts workload_facts(const Session& session) {
  host::Facts facts;
  const auto add = [&](std::string key, std::string value) {
    const bool known = std::any_of(facts.begin(), facts.end(),
                                   [&](const auto& fact) { return fact.first == key; });
    if (!known) {
      facts.emplace_back(std::move(key), std::move(value));
    }
  };
  for (const BenchmarkRecord& record : session.records) {
    const std::string prefix = fmt::format("msgring.workload.{}.", record.entry->name);
    if (!record.skipped.empty()) {
      add(prefix + "skipped", record.skipped);
      continue;
    }
    add(prefix + "phases", measured_phases(record));
    for (const auto& [key, value] : record.facts) {
      add(prefix + key, value);
    }
  }
  return facts;
}

std::string fact(const host::Facts& facts, std::string_view key) {
  const auto found = std::find_if(facts.begin(), facts.end(),
                                  [&](const auto& entry) { return entry.first == key; });
  return found == facts.end() ? "unknown" : found->second;
}

MachineLines machine_lines(const host::Facts& facts) {
  return {fmt::format("{} ({}), boot {}", fact(facts, "kernel.release"),
                      fact(facts, "kernel.machine"), fact(facts, "kernel.boot_id")),
          fmt::format("{}, pinned to CPU {}, clock source {}, preemption {}",
                      fact(facts, "cpu.model"), fact(facts, "cpu.pinned"),
                      fact(facts, "cpu.clocksource"), fact(facts, "kernel.preempt_mode"))};
}

/// A run that was listed or filtered down to nothing leaves no record behind.
void forget_unrun(Session& session) {
  std::erase_if(session.records, [](const BenchmarkRecord& record) {
    return record.rounds.empty() && record.failure.empty() && record.skipped.empty();
  });
}

ExitStatus status_of(const Session& session) {
  if (interrupted() != 0) {
    return ExitStatus::kInterrupted;
  }
  // A failed check outranks everything: its number must not be used, whatever else happened.
  ExitStatus status = ExitStatus::kOk;
  for (const BenchmarkRecord& record : session.records) {
    if (record.status == ExitStatus::kInvalid || status == ExitStatus::kOk) {
      status = record.status;
    }
  }
  return status;
}

/// No round of any benchmark was kept, and no check failed: why.
Error nothing_ran(const Session& session) {
  for (const BenchmarkRecord& record : session.records) {
    if (!record.failure.empty()) {
      return {record.status, record.failure};
    }
  }
  std::string reasons;
  for (const BenchmarkRecord& record : session.records) {
    reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : "; ", record.name, record.skipped);
  }
  return {ExitStatus::kEnvironment, "nothing can run here: " + reasons};
}

void warn_of_findings(const std::vector<host::Finding>& findings) {
  constexpr std::size_t kMost = 5;
  std::size_t shown = 0;
  for (const host::Finding& finding : findings) {
    if (finding.severity != host::Severity::kNote && shown++ < kMost) {
      fmt::print(stderr, "msgring_bench: {}\n", host::describe(finding));
    }
  }
}

void append(host::Facts& to, const host::Facts& facts) {
  to.insert(to.end(), facts.begin(), facts.end());
}

host::Facts finding_facts(const std::vector<host::Finding>& findings) {
  host::Facts facts;
  for (const host::Finding& finding : findings) {
    facts.emplace_back("finding." + finding.key,
                       fmt::format("{}: {}", host::severity_text(finding.severity), finding.what));
  }
  return facts;
}

std::string default_name() {
  utsname kernel{};
  ::uname(&kernel);
  return fmt::format("point-{}-{:%Y%m%dT%H%M%SZ}.json", kernel.release,
                     fmt::gmtime(std::time(nullptr)));
}

}  // namespace

Measurement measure(const BenchOptions& options, const MeasureObserver& observer) {
  const InterruptGuard guard;
  initialize_library(options);
  const std::vector<Planned> plan = plan_of(options);
  const Machine machine = inspect_machine(options);
  const host::NofileLimit limit = prepare_machine(options, machine);
  warn_of_findings(machine.findings);
  host::Facts facts = identity_facts(options, plan);
  facts.emplace_back("msgring.settled", settle(options));
  observer(MeasurePhase::kSettled);
  facts.emplace_back("msgring.nofile", host::describe(limit));
  facts.emplace_back("msgring.memlock", machine.memlock.text);
  const host::Facts machine_facts = host::collect_facts(host::Root(), machine.cpus, machine.cpu);

  Session session = make_session(options, machine.cpu);
  register_all(plan, session);
  PointReporter reporter(
      has_flag(options, "--benchmark_format")
          ? std::unique_ptr<benchmark::BenchmarkReporter>(benchmark::CreateDefaultDisplayReporter())
          : nullptr);
  const std::size_t ran = benchmark::RunSpecifiedBenchmarks(&reporter);
  observer(MeasurePhase::kDone);
  if (has_flag(options, "--benchmark_list_tests")) {
    return {};
  }
  if (ran == 0) {
    throw Error(ExitStatus::kUsage, "--benchmark_filter: no benchmark has such a name",
                "--benchmark_list_tests names them");
  }
  forget_unrun(session);
  append(facts, outcome_facts(session));
  append(facts, workload_facts(session));
  append(facts, machine_facts);
  append(facts, finding_facts(machine.findings));
  const ExitStatus status = status_of(session);
  const bool kept =
      std::any_of(session.records.begin(), session.records.end(),
                  [](const BenchmarkRecord& record) { return !record.rounds.empty(); });
  if (!kept && status == ExitStatus::kInterrupted) {
    throw_interrupted();
  }
  if (!kept && status != ExitStatus::kInvalid) {
    throw nothing_ran(session);
  }
  return {point::assemble_point(reporter.json(), facts, host::unit_of(options.clock)),
          summarize(options, machine_lines(machine_facts), session, reporter.aggregates()), status};
}

ExitStatus measure_to_file(const BenchOptions& options) {
  std::optional<host::OutputFile> file;
  const bool lists = has_flag(options, "--benchmark_list_tests");
  if (options.out != "-" && !lists) {
    file.emplace(options.out.empty() ? default_name() : options.out,
                 options.existing == ExistingFile::kOverwrite ? host::Overwrite::kForce
                                                              : host::Overwrite::kRefuse);
  }
  const Measurement measurement = measure(options);
  if (lists) {
    return ExitStatus::kOk;
  }
  // With the point on standard output, the words for a person go beside it.
  std::FILE* const words = file ? stdout : stderr;
  fmt::print(words, "{}", measurement.summary);
  if (file) {
    file->commit(measurement.point);
    fmt::print(words, "point    {}\n", file->path().string());
  } else {
    fmt::print("{}", measurement.point);
  }
  return measurement.status;
}

}  // namespace msgring::bench
