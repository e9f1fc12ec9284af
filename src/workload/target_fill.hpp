// SPDX-License-Identifier: MIT
// TargetFill: what the workloads share that fill one target ring's table by SEND_FD in a round.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "msgring/uring/ring.hpp"
#include "workload/checks.hpp"
#include "workload/fd_sender.hpp"
#include "workload/phased_workload.hpp"

namespace msgring::workload {

/// A round: renew_target(), whatever comes before the fill, aim(), and sender().send() in a timed
/// phase; then check_sent() and prove_target(), with the workload's own checks around them.
class TargetFill : public PhasedWorkload {
 public:
  void teardown() noexcept override { target_.reset(); }
  EnterLog enters() const noexcept override { return sender_.enters(); }
  std::vector<std::pair<std::string, std::string>> facts() const override {
    return sender_.facts();
  }

 protected:
  /// `installs`: of the timed fill; `files`: how many sentinel files the source ring holds.
  TargetFill(const Options& options, std::span<const PhaseInfo> phases, std::uint32_t installs,
             std::uint8_t files = 1);

  FdSender& sender() noexcept { return sender_; }
  uring::Ring& target() noexcept { return *target_; }

  /// Untimed: a new target ring, which has no table yet. Throws.
  void renew_target() { target_.emplace(sender_.make_target()); }
  /// Untimed: starts the sender's round and aims the fill with sentinel `file` at the target.
  void aim(std::uint8_t file = 0) noexcept;
  /// Untimed: checks calls, completions and the source ring. The slots that the fill got.
  SlotSet check_sent(CheckReport& report);
  /// Untimed: reads every slot of the target back, `filled` as the fill's file, and checks its
  /// ring.
  void prove_target(const SlotSet& filled, CheckReport& report);

 private:
  FdSender sender_;
  std::optional<uring::Ring> target_;
  Fill fill_;
};

}  // namespace msgring::workload
