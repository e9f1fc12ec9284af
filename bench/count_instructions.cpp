// SPDX-License-Identifier: MIT
// User instructions per operation in every timed phase of every workload, counted by single steps.
#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "msgring/error.hpp"
#include "msgring/host/cpus.hpp"
#include "msgring/workload/round.hpp"
#include "step_counter.hpp"

namespace msgring::bench {
namespace {

/// A skipped test, for CTest.
constexpr int kSkipped = 77;

/// Enough that what happens once in a round does not show.
constexpr std::uint32_t kOperations = 4096;
constexpr std::uint32_t kReplicates = 4;

/// Limits: an install 25, anything else 40.
constexpr double kInstallLimit = 25;
constexpr double kOtherLimit = 40;

/// What the child says about its round.
struct Outcome {
  std::array<std::uint64_t, kMostPhases> operations;
  std::array<char, 512> failure;  ///< empty if all checks passed
};

/// Memory that parent and child share.
class SharedOutcome {
 public:
  SharedOutcome()
      : memory_(::mmap(nullptr, sizeof(Outcome), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                       -1, 0)) {
    if (memory_ == MAP_FAILED) {
      throw_system_error(errno, "mmap");
    }
  }
  ~SharedOutcome() { ::munmap(memory_, sizeof(Outcome)); }
  SharedOutcome(const SharedOutcome&) = delete;
  SharedOutcome& operator=(const SharedOutcome&) = delete;
  Outcome& get() noexcept { return *static_cast<Outcome*>(memory_); }

 private:
  void* memory_;
};

workload::Options shape_of(const workload::Entry& entry) {
  workload::Options options = entry.defaults;
  options.operations = std::min(options.operations, kOperations);
  options.replicates = kReplicates;
  return options;
}

void say_failure(Outcome& outcome, const std::string& text) {
  std::memcpy(outcome.failure.data(), text.data(),
              std::min(text.size(), outcome.failure.size() - 1));
}

/// The child: one round to warm up, one between two stops.
void run_child(const workload::Entry& entry, Outcome& outcome) {
  try {
    const auto workload = entry.make(shape_of(entry));
    {
      workload::Round warmup(*workload, ::sched_getcpu());
      warmup.run();
    }
    workload::Round round(*workload, ::sched_getcpu());
    ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    ::raise(SIGSTOP);
    round.run();
    ::raise(SIGSTOP);
    const workload::RoundResult result = round.finish();
    if (!result.report.passed()) {
      say_failure(outcome, result.report.summary());
    }
    for (std::size_t phase = 0; phase < result.samples.size(); ++phase) {
      outcome.operations[phase] = result.samples[phase].operations;
    }
  } catch (const std::exception& error) {
    say_failure(outcome, describe(error));
  }
}

/// Lets the child run to its end.
void release(pid_t child) {
  ::ptrace(PTRACE_DETACH, child, nullptr, nullptr);
  ::waitpid(child, nullptr, 0);
}

/// Prints a line per phase. False if one is above its limit or the round failed.
bool print_phases(const workload::Entry& entry, const Outcome& outcome, const StepCounts& counts) {
  bool good = outcome.failure[0] == '\0';
  if (!good) {
    fmt::print("{:22} {}\n", entry.name, outcome.failure.data());
  }
  for (std::size_t phase = 0; good && phase < entry.phases.size(); ++phase) {
    const workload::PhaseInfo& info = entry.phases[phase];
    const double limit = info.noun == "install" ? kInstallLimit : kOtherLimit;
    const double each =
        static_cast<double>(counts[phase]) / static_cast<double>(outcome.operations[phase]);
    fmt::print("{:22} {:10} {:10} {:14} {:14.2f} {:8}{}\n", entry.name, info.name,
               outcome.operations[phase], counts[phase], each, limit,
               each > limit ? "  above the limit" : "");
    good = good && each <= limit;
  }
  return good;
}

bool count(const workload::Entry& entry) {
  SharedOutcome outcome;
  std::fflush(stdout);
  const pid_t child = ::fork();
  if (child < 0) {
    throw_system_error(errno, "fork");
  }
  if (child == 0) {
    run_child(entry, outcome.get());
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  StepCounts counts{};
  if (WIFSTOPPED(status)) {
    counts = count_steps(child);
    release(child);
  }
  return print_phases(entry, outcome.get(), counts);
}

bool count_all(const std::vector<std::string>& names) {
  fmt::print("{:22} {:10} {:>10} {:>14} {:>14} {:>8}\n", "workload", "phase", "operations",
             "instructions", "per operation", "limit");
  bool good = true;
  for (const workload::Entry& entry : workload::registry()) {
    if (names.empty() || std::find(names.begin(), names.end(), entry.name) != names.end()) {
      good = count(entry) && good;
    }
  }
  return good;
}

}  // namespace
}  // namespace msgring::bench

int main(int argc, char** argv) {
  std::vector<std::string> names;
  CLI::App app("User instructions per operation in the timed phases, counted by single steps.");
  app.add_option("workload", names, "workloads (default: all)");
  CLI11_PARSE(app, argc, argv);
#ifndef NDEBUG
  fmt::print("count_instructions: built without optimisation, nothing to count\n");
  return msgring::bench::kSkipped;
#endif
  try {
    const msgring::host::CpuSets sets = msgring::host::read_cpu_sets({});
    msgring::host::pin_this_thread(sets, msgring::host::choose_cpu({}, sets));
    return msgring::bench::count_all(names) ? 0 : static_cast<int>(msgring::ExitStatus::kInvalid);
  } catch (const std::exception& error) {
    fmt::print(stderr, "count_instructions: {}\n", msgring::describe(error));
    return static_cast<int>(msgring::exit_status_of(error));
  }
}
