// SPDX-License-Identifier: MIT
// BootPool: the boots of a run, side by side where that is allowed.
#pragma once

#include <atomic>
#include <exception>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

#include "msgring/boot/run.hpp"
#include "run_identity.hpp"

namespace msgring::boot {

/// What the driver is asked for one boot. Under instructions the benchmark is told to count with
/// the TSC, unless the plan says otherwise.
BootRequest boot_request(const PlannedBoot& boot, const Plan& plan, const RunSetup& setup,
                         const RunIdentity& identity, host::Unit unit, unsigned attempt);

class BootPool {
 public:
  BootPool(const Plan& plan, const RunSetup& setup, const RunIdentity& identity, Driver& driver,
           RunObserver& observer, std::stop_token stop);

  /// Does every boot whose point is not there. Returns when all are measured or given up; throws
  /// what a boot threw that is no BootFailure, after the others have been stopped.
  void run();

 private:
  void work();
  std::optional<PlannedBoot> take();
  void boot_with_retries(const PlannedBoot& boot);
  void boot_once(const PlannedBoot& boot, unsigned attempt);
  void keep(const PlannedBoot& boot, unsigned attempt, const BootResult& result);
  void keep_loss(const PlannedBoot& boot, unsigned attempt, const BootFailure& failure);
  void check_space() const;
  unsigned workers() const;

  const Plan& plan_;
  const RunSetup& setup_;
  const RunIdentity& identity_;
  Driver& driver_;
  RunObserver& observer_;
  RunFolder folder_;
  std::stop_source stop_;
  std::stop_token outer_stop_;
  std::vector<PlannedBoot> waiting_;
  std::size_t next_ = 0;
  std::mutex mutex_;  ///< guards next_, first_error_ and the observer
  std::exception_ptr first_error_;
};

}  // namespace msgring::boot
