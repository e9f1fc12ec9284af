// SPDX-License-Identifier: MIT
// The driver interface: how a kernel is booted, made to measure, and read out. One file each.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "msgring/boot/frame.hpp"
#include "msgring/boot/kernels.hpp"
#include "msgring/error.hpp"
#include "msgring/host/clock.hpp"

namespace msgring::boot {

/// How a boot ended. Every failure is its own.
enum class Outcome {
  kMeasured,       ///< a complete point came back
  kNoBoot,         ///< user space never came up
  kGuestPanic,     ///< the console says panic, Oops or BUG
  kGuestHang,      ///< a phase's deadline passed without any sign of life
  kBenchFailed,    ///< the benchmark said why it could not measure
  kResultDamaged,  ///< the result is damaged or was cut
  kTimeout,        ///< a phase's deadline passed although the guest lived
  kRestarted,      ///< the machine left the boot in which it measured
  kDriverFailed,   ///< the emulator, or the way to the machine, failed: not the kernel's doing
};

/// "no-boot", "guest-panic", ...; "measured".
std::string_view outcome_text(Outcome outcome);

/// The phases of a boot as seen from outside, each with a deadline of its own.
enum class BootPhase { kBoot, kSettle, kMeasure, kPowerOff };

/// "boot", "settle", "measure", "power-off".
std::string_view phase_text(BootPhase phase);

/// The longest that each phase may take in real time.
struct Deadlines {
  std::chrono::seconds boot{120};
  std::chrono::seconds settle{120};
  std::chrono::seconds measure{600};
  std::chrono::seconds power_off{30};

  std::chrono::seconds of(BootPhase phase) const noexcept;
};

/// A boot that gave no point.
class BootFailure : public Error {
 public:
  BootFailure(Outcome outcome, const std::string& why, std::vector<std::string> console_tail)
      : Error(ExitStatus::kEnvironment, std::string(outcome_text(outcome)) + ": " + why),
        outcome_(outcome),
        console_tail_(std::move(console_tail)) {}

  Outcome outcome() const noexcept { return outcome_; }
  /// The console's last lines, oldest first.
  const std::vector<std::string>& console_tail() const noexcept { return console_tail_; }

 private:
  Outcome outcome_;
  std::vector<std::string> console_tail_;
};

/// Ends a run for good: no further try of the same can cure it, such as a boot loader that brings
/// up another kernel than the one asked for.
class RunOver : public Error {
 public:
  using Error::Error;
};

/// One boot to do.
struct BootRequest {
  std::string name;        ///< unique in its run, a file name: "s1-01-A"
  char role = 'A';         ///< which side it stands on
  std::uint32_t seed = 0;  ///< of the emulator's randomness; without meaning on real hardware
  Kernel kernel;
  std::string append;                           ///< added to the kernel's command line
  std::vector<std::string> arguments;           ///< the benchmark's
  std::vector<std::string> emulator_arguments;  ///< added to the emulator's command line
  std::filesystem::path console_log;            ///< where the console goes; must not exist
  std::filesystem::path scratch;                ///< an existing folder for this boot alone
};

/// What a boot gave.
struct BootResult {
  std::string point_text;        ///< the point file, as the guest wrote it
  std::vector<Frame> additions;  ///< symbols, profiles, traces
  /// What only the outside knows, for the point's context: run id, process, start time, ...
  std::map<std::string, std::string> facts;
};

/// Told what happens during a boot. Called from the thread that boots.
class BootObserver {
 public:
  virtual ~BootObserver() = default;
  virtual void on_phase(BootPhase phase) = 0;
  virtual void on_log(std::string_view line) = 0;
};

/// One machine for one boot: boot(), run(), fetch(), once each, in this order, from one thread.
/// Each throws BootFailure, or Error (kInterrupted) when stopped. The destructor leaves nothing
/// running.
class Machine {
 public:
  virtual ~Machine() = default;
  /// Brings the kernel up to its user space.
  virtual void boot(BootObserver& observer) = 0;
  /// Waits until the benchmark has settled and measured.
  virtual void run(BootObserver& observer) = 0;
  /// The result; the machine is off, or free for the next boot, afterwards.
  virtual BootResult fetch(BootObserver& observer) = 0;
};

/// What a driver must find again when a run goes on: texts by name, kept with the run's identity.
using DriverMemory = std::map<std::string, std::string>;

/// What the driver needs to know of a whole run.
struct DriverSetup {
  std::filesystem::path bench_program;
  std::vector<Kernel> kernels;  ///< all that will be booted
  unsigned memory_mib = 512;
  Deadlines deadlines;
  DriverMemory memory;  ///< what memory() gave when the run began; empty in a new run
};

class Driver {
 public:
  virtual ~Driver() = default;
  /// "qemu", "ssh", "local".
  virtual std::string_view name() const = 0;
  /// The kernel that a plan calls `name`. Here: in the cache, or at its path. A driver of another
  /// machine looks there. Before prepare(). Throws Error (kUsage) when there is none.
  virtual Kernel find_kernel(const std::string& name, const KernelCache& cache);
  /// The SHA-256 of a kernel's image; empty when it is gone. Before prepare().
  virtual std::string kernel_digest(const Kernel& kernel);
  /// Once, before anything is booted: finds out what this machine can do, and prepares it.
  virtual void prepare(const DriverSetup& setup) = 0;
  /// What a resumed run must be given again; valid after prepare().
  virtual DriverMemory memory() const { return {}; }
  /// How many tries of a planned boot were lost before this process, in the same run without a
  /// person in between: a run on this machine outlives its process.
  virtual unsigned earlier_losses(const std::string& /*boot*/) const { return 0; }
  /// What its points measure; valid after prepare().
  virtual host::Unit unit() const = 0;
  /// Lines for a person about what prepare() decided, and why.
  virtual std::vector<std::string> notes() const = 0;
  /// How many boots may run at once without disturbing what is measured; 0 is any number.
  virtual unsigned most_parallel_boots() const = 0;
  /// What would be started for `request`, as a line that can be pasted.
  virtual std::string command_line(const BootRequest& request) const = 0;
  virtual std::unique_ptr<Machine> make_machine(const BootRequest& request,
                                                std::stop_token stop) = 0;
};

}  // namespace msgring::boot
