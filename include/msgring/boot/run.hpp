// SPDX-License-Identifier: MIT
// A run: a plan carried out into a folder that is evidence, can be resumed, and can be checked.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "msgring/boot/driver.hpp"
#include "msgring/boot/kernels.hpp"
#include "msgring/boot/plan.hpp"
#include "msgring/host/clock.hpp"

namespace msgring::boot {

/// The folder of a run.
///
///     plan.toml        what was asked for
///     identity.json    what it was resolved to: unit, kernels and benchmark with their SHA-256
///     points/NAME.json      one per boot
///     consoles/NAME.N.log   the N-th try's console
///     lost/NAME.N.txt       why the N-th try gave no point
///     SHA256SUMS       of everything, once the run is finished (sha256sum -c reads it)
///
/// Nothing in it is ever overwritten. What is done is what is on disk: a point that is there is
/// finished, so a run goes on after a crash from exactly there.
class RunFolder {
 public:
  explicit RunFolder(std::filesystem::path path) : path_(std::move(path)) {}

  const std::filesystem::path& path() const noexcept { return path_; }
  std::filesystem::path plan_file() const { return path_ / "plan.toml"; }
  std::filesystem::path identity_file() const { return path_ / "identity.json"; }
  std::filesystem::path sums_file() const { return path_ / "SHA256SUMS"; }
  std::filesystem::path point_file(std::string_view boot) const;
  /// A file beside the point, such as "s1-01-A.kallsyms".
  std::filesystem::path addition_file(std::string_view boot, FrameKind kind) const;
  std::filesystem::path console_file(std::string_view boot, unsigned attempt) const;
  std::filesystem::path lost_file(std::string_view boot, unsigned attempt) const;

  bool has_point(std::string_view boot) const;
  /// How many tries of a boot were lost.
  unsigned lost_attempts(std::string_view boot) const;
  /// The first attempt number that has left no trace yet, from 1.
  unsigned next_attempt(std::string_view boot) const;

 private:
  std::filesystem::path path_;
};

/// Told what happens in a run. Calls come from several threads, never two at once.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  virtual void on_note(std::string_view line) = 0;
  virtual void on_start(const PlannedBoot& boot, unsigned attempt) = 0;
  virtual void on_phase(const PlannedBoot& boot, BootPhase phase) = 0;
  virtual void on_log(const PlannedBoot& boot, std::string_view line) = 0;
  virtual void on_measured(const PlannedBoot& boot) = 0;
  virtual void on_lost(const PlannedBoot& boot, const BootFailure& failure, bool will_retry) = 0;
};

/// What a run needs besides its plan.
struct RunSetup {
  std::filesystem::path folder;
  std::filesystem::path bench_program;
  KernelCache cache;
  std::vector<std::string> emulator_arguments;
  std::string emulator = "qemu-system-x86_64";  ///< for a driver that needs one
  /// Points that were measured before, by the boot's name: taken over instead of booting. Only
  /// where boots repeat exactly is that sound: same kernel, benchmark, arguments and seed.
  std::map<std::string, std::filesystem::path> given_points = {};
};

/// A boot that gave a point.
struct MeasuredBoot {
  PlannedBoot boot;
  std::filesystem::path point_file;
  unsigned lost_attempts = 0;
};

/// What a run gave.
struct RunResult {
  host::Unit unit = host::Unit::kNanoseconds;
  std::vector<MeasuredBoot> boots;   ///< of complete blocks only, in plan order
  std::vector<std::string> dropped;  ///< lines: which block is left out, because of which boot
  unsigned lost_attempts = 0;
};

/// Begins a run in a new folder, or goes on with an old one.
enum class RunStart { kFresh, kResume };

/// Carries the plan out with `driver`.
///
/// A lost boot is tried again up to `plan.retries` times; if it stays lost, its whole block is left
/// out, so that the roles stay balanced. Boots run side by side where the driver allows it.
/// Throws Error (kUsage) when the folder is there already (kFresh), is no run, belongs to another
/// plan, or its kernels or benchmark have changed since (kResume); Error (kEnvironment) when the
/// disk is full or no block is complete; Error (kInterrupted) when stopped. After each of these
/// kResume goes on.
RunResult execute_run(const Plan& plan, const RunSetup& setup, Driver& driver, RunStart start,
                      RunObserver& observer, const std::stop_token& stop);

/// The plan that a folder was begun with. Throws Error (kUsage) when there is none.
Plan stored_plan(const std::filesystem::path& folder);

/// One line for each boot: its name, kernel and command line. Prepares the driver, boots nothing,
/// writes nothing.
std::vector<std::string> describe_run(const Plan& plan, const RunSetup& setup, Driver& driver);

/// Writes SHA256SUMS over everything in the folder: the run is finished. Throws Error when it is
/// there already.
void seal_run(const std::filesystem::path& folder);

/// What is wrong with a folder: files that changed, are missing, or were added since it was sealed;
/// points that are missing from the plan's complete blocks. Empty when it is as it was left.
std::vector<std::string> check_run(const std::filesystem::path& folder);

}  // namespace msgring::boot
