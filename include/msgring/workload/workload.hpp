// SPDX-License-Identifier: MIT
// The Workload interface: one shape of work, one round at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "msgring/uring/abi.hpp"
#include "msgring/workload/check_report.hpp"
#include "msgring/workload/options.hpp"

namespace msgring::workload {

/// A separately timed part of a round, and what it does a number of.
struct PhaseInfo {
  std::string_view name;  ///< "fill"
  std::string_view noun;  ///< "install": the operation that the phase's cost is divided by
};

/// What one phase of one round took. Times are ticks of the options' clock.
struct PhaseSample {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t operations = 0;
  std::uint64_t paused = 0;  ///< of the span, outside the phase: it ran in several stretches

  std::uint64_t elapsed() const noexcept { return end - begin - paused; }
};

/// A figure of a round beyond its phases: a name as it stands in a row ("fill_p99_ns"), a value.
struct Counter {
  std::string name;
  double value;
};

/// What happened at the system-call boundary of a timed region; looked at afterwards.
struct EnterLog {
  std::uint32_t calls = 0;        ///< io_uring_enter calls, at best one a batch
  std::uint32_t extra_calls = 0;  ///< of these, calls beyond one a batch
  std::uint32_t interrupted = 0;  ///< calls that a signal ended
  std::uint32_t timeouts = 0;     ///< batches whose completions did not come in time
  std::uint32_t overflows = 0;    ///< times a queue was seen to hold completions back
  std::int32_t error = 0;         ///< the errno that ended the round, or 0
};

/// One workload. A round is prepare() -> run() -> check() -> teardown(); the caller settles between
/// rounds. Rounds of one object follow each other; an object never runs on two threads.
class Workload {
 public:
  Workload() = default;
  virtual ~Workload() = default;
  Workload(const Workload&) = delete;
  Workload& operator=(const Workload&) = delete;

  /// Untimed: builds whatever the round consumes. Throws on failure.
  virtual void prepare() = 0;
  /// The timed phases, and only between two stretches of them what a next one needs. Inside a
  /// phase: no allocation, no exception, no look at a result.
  virtual void run() noexcept = 0;
  /// Untimed: proves from the round's logs and from the kernel's state that it did what it claims.
  virtual void check(CheckReport& report) = 0;
  /// Untimed: gives everything of the round back. Safe after a throw from prepare() or check().
  virtual void teardown() noexcept = 0;

  /// The phases of the last round, in the order of the entry's `phases`.
  virtual std::span<const PhaseSample> samples() const noexcept = 0;
  /// The system calls of the last round's timed phases.
  virtual EnterLog enters() const noexcept = 0;
  /// Figures of the last round beyond its phases. Asked for only after a check() that passed.
  virtual std::vector<Counter> counters() const = 0;

  /// What is worth recording about how the rounds were run (flags in force, sizes, trial results):
  /// dotted key below `msgring.workload.<name>` and value.
  virtual std::vector<std::pair<std::string, std::string>> facts() const = 0;
};

/// Is the time from the first phase's begin to the last one's end a figure of its own?
enum class Interval {
  kImplied,  ///< no: it repeats the one phase, or adds up phases that pause
  kCompared  ///< yes: it stands beside the phases, and is compared like them
};

/// A workload's line in the registry.
struct Entry {
  std::string_view name;
  std::string_view summary;           ///< one line for `--list`
  std::span<const PhaseInfo> phases;  ///< in the order of their timing
  std::string_view minimum_kernel;    ///< "6.0", for people; programs try
  /// The options that shape it; any other is without effect on it.
  std::span<const Parameter> parameters{};
  Options defaults{};  ///< where the command line says nothing
  Interval interval = Interval::kImplied;
  /// The kernel's functions whose calls say that a round reached the code it is about.
  std::span<const std::string_view> kernel_functions{};
  std::uint32_t most_slots = uring::kMaxFixedFiles;  ///< the kernel's cap for its table
  /// Tries the kernel, then builds the workload. Throws Error (environment) if this kernel lacks
  /// what it needs, after which other workloads may still run.
  std::unique_ptr<Workload> (*make)(const Options&);
};

/// Does `parameter` shape this workload?
bool uses(const Entry& entry, Parameter parameter) noexcept;

/// All workloads, in the order of the documentation.
std::span<const Entry> registry() noexcept;

/// The entry called `name`, or nullptr.
const Entry* find_workload(std::string_view name) noexcept;

/// The counter that holds phase `index`'s cost per operation: "ns_per_install", or with the phase
/// in front ("cold_ns_per_install") where two phases count the same thing.
std::string cost_name(const Entry& entry, std::size_t index, host::Unit unit);

/// The same for phase `index`'s rate: "installs_per_second", "cold_installs_per_second".
std::string rate_name(const Entry& entry, std::size_t index);

/// From the first phase's begin to the last phase's end, in ticks. Where phases pause for untimed
/// work, that work belongs to no interval: the sum of the phases.
std::uint64_t interval_of(std::span<const PhaseSample> samples) noexcept;

}  // namespace msgring::workload
