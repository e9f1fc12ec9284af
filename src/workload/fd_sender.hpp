// SPDX-License-Identifier: MIT
// FdSender: what all fd-passing workloads share. A source ring that holds the sentinel files, the
// batches, and the checks of an install.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "msgring/host/fd.hpp"
#include "msgring/uring/ring.hpp"
#include "msgring/workload/options.hpp"
#include "workload/batch_runner.hpp"
#include "workload/checks.hpp"

namespace msgring::workload {

/// A number of installs into one table.
struct Fill {
  std::uint32_t installs;
  std::uint8_t file = 0;           ///< which sentinel file
  std::uint32_t first_number = 0;  ///< its first operation since restart(); aim() sets it
};

/// What shapes a fill of `--fill` of the `--slots`.
inline constexpr std::array kPartialFillParameters{Parameter::kSlots,
                                                   Parameter::kFill,
                                                   Parameter::kBatch,
                                                   Parameter::kSlotMode,
                                                   Parameter::kTargetCompletion,
                                                   Parameter::kSourceProfile,
                                                   Parameter::kTargetProfile};

/// What an install by SEND_FD calls.
inline constexpr std::array<std::string_view, 5> kSendFdFunctions{
    "io_msg_ring", "io_msg_install_complete", "__io_fixed_fd_install", "io_rsrc_node_alloc",
    "io_cache_alloc_new"};

/// Passes sentinel files into slots of target rings. A round is restart(), then aim() and send()
/// for each fill, then check() and check_fill(). In explicit mode, fills begin at slot 0.
/// Memory: 40 bytes per install and one bit per slot.
class FdSender {
 public:
  /// Sets up the source ring with sentinel files 0 to `files` - 1 in its table, and finds out by a
  /// trial how this kernel reports slots. `most_installs`: the largest number in a round. Throws
  /// Error (environment) if this kernel cannot do it.
  FdSender(const Options& options, std::uint64_t most_installs, std::uint8_t files = 1);

  /// A target ring without a table, its CQ large enough for a batch. Throws.
  uring::Ring make_target() const;

  /// Untimed: a new round.
  void restart() noexcept { runner_.restart(); }
  /// Untimed: aims `fill` at `target`. Neither allocates nor throws.
  Fill aim(uring::Ring& target, Fill fill) noexcept;
  /// Timed: the fill that was aimed, batch by batch; their times go to `times` unless that is null.
  void send(BatchTimes* times) noexcept;

  /// Untimed: checks the calls, the completions and the source ring of the whole round.
  void check(CheckReport& report);
  /// After check(): checks where the installs of `fill` went, and adds the slots to `filled`.
  void check_fill(const Fill& fill, SlotSet& filled, CheckReport& report) const;

  /// Untimed: a whole round of one fill of `slots` slots, checked. The slots that it got. Throws
  /// Error (invalid) if anything is wrong with it.
  SlotSet fill_untimed(uring::Ring& target, const Fill& fill, std::uint32_t slots);

  const EnterLog& enters() const noexcept { return runner_.enters(); }
  std::uint32_t round() const noexcept { return runner_.round(); }
  std::vector<std::pair<std::string, std::string>> facts() const;

 private:
  SqeShape shape_for(const uring::Ring& target, std::uint8_t file) const noexcept;
  SlotReport slot_report() const noexcept;

  Options options_;
  std::vector<host::FileDescriptor> files_;
  uring::Ring source_;
  bool target_reports_slot_;
  BatchRunner runner_;
  std::uint32_t first_index_ = 0;  ///< explicit mode: what operation n adds to n
};

}  // namespace msgring::workload
