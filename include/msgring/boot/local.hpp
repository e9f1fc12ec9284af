// SPDX-License-Identifier: MIT
// The local driver: this machine reboots itself into each kernel, and goes on after each boot.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "msgring/boot/box_driver.hpp"
#include "msgring/boot/local_state.hpp"
#include "msgring/boot/resume_unit.hpp"

namespace msgring::boot {

/// No failure: this machine is about to reboot, and msgring-resume.service goes on. Ends the
/// process.
class Rebooting : public Error {
 public:
  explicit Rebooting(const std::string& line) : Error(ExitStatus::kOk, line) {}
};

/// Does a person begin or resume the run, or does it go on after a reboot?
enum class LocalStart { kByHand, kAfterReboot };

/// A run on this machine, as the driver must know it.
struct LocalSetup {
  LocalStore store;
  ResumeUnitFile unit;
  LocalStart start = LocalStart::kByHand;
  std::filesystem::path folder;             ///< the run's; absolute
  std::filesystem::path program;            ///< this msgring; absolute
  std::vector<std::string> arguments;       ///< of `msgring aba`, with which it goes on
  std::vector<std::string> resume_options;  ///< of `msgring resume` in the unit
  std::filesystem::path tune_host;          ///< the script, where the plan wants it; else empty
};

/// What must hold before a run may begin here.
struct LocalConditions {
  bool is_root = false;
  bool has_systemd = false;
  std::optional<LocalState> under_way;
  /// What a reboot would take away: what it is, and its path.
  std::vector<std::pair<std::string, std::filesystem::path>> volatile_paths;
};

/// Throws Error (kEnvironment: no root, no systemd; kUsage: a run is under way, a path in memory).
void demand_conditions(const LocalConditions& conditions);

/// Would a reboot empty the file system of this path, or of its nearest parent that exists?
bool is_volatile(const std::filesystem::path& path);

/// Each boot of the plan takes two processes: one that arms it, installs the unit and throws
/// Rebooting out of Machine::boot(), and the one that the unit starts in it.
class LocalDriver : public BoxDriver {
 public:
  LocalDriver(BoxPlan box, LocalSetup setup, const std::stop_token& stop);

  std::string_view name() const override { return "local"; }
  Kernel find_kernel(const std::string& name, const KernelCache& cache) override;
  void prepare(const DriverSetup& setup) override;
  unsigned earlier_losses(const std::string& boot) const override;
  std::string command_line(const BootRequest& request) const override;
  std::unique_ptr<Machine> make_machine(const BootRequest& request, std::stop_token stop) override;

 private:
  LocalConditions conditions(const std::filesystem::path& bench_program) const;
  std::string unit_text(const std::filesystem::path& bench_program) const;

  LocalSetup setup_;
  std::string unit_text_;
};

/// How often `msgring resume` may be started for one armed boot.
inline constexpr unsigned kMostStarts = 3;

/// Ends the run on this machine: removes unit and state, keeps `how` for `msgring status`. The
/// run's folder stays.
void end_local_run(const LocalStore& store, const ResumeUnitFile& unit, const std::string& how);

/// Carries a run on that a person began: ends it on any error but an interruption. Rebooting
/// passes.
ExitStatus begin_local_run(const LocalStore& store, const ResumeUnitFile& unit,
                           const std::function<ExitStatus()>& work);

/// Carries a run on after a reboot, and ends it when it is finished, on RunOver and usage faults,
/// and after kMostStarts starts without progress. Throws what `work` throws; Error (kUsage) when no
/// run is under way.
ExitStatus resume_local_run(const LocalStore& store, const ResumeUnitFile& unit,
                            const std::function<ExitStatus(const LocalState&)>& work);

/// Stops a run at work, takes the armed boot back, and ends it. Returns lines that say so. Throws
/// Error (kUsage) when there is nothing of a run here.
std::vector<std::string> abort_local_run(const LocalStore& store, const ResumeUnitFile& unit);

}  // namespace msgring::boot
