// SPDX-License-Identifier: MIT
// The outcome of the untimed checks of one round.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace msgring::workload {

/// Everything that can be wrong with a round. `check_name` gives the name in the point file.
enum class Check : std::uint8_t {
  kSourceMissing,    ///< a sender completion never came
  kSourceDuplicate,  ///< a sender completion came more than once
  kSourceForeign,    ///< a sender completion belongs to something else
  kSourceFlags,      ///< a sender completion carries flags
  kSourceResult,     ///< a sender completion is a failure, or not what it must be
  kTargetMissing,
  kTargetDuplicate,
  kTargetForeign,
  kTargetFlags,
  kTargetResult,
  kSlotRange,       ///< a slot outside the table
  kPairMismatch,    ///< sender and target name different slots
  kSlotDuplicate,   ///< two installs in one slot
  kSlotMissing,     ///< a slot that no install filled
  kSlotUnreadable,  ///< a slot that cannot be read as a fixed file
  kSentinel,        ///< a slot that reads the wrong byte
  kRegister,        ///< a register call that failed, or made a table of another size
  kRemoval,         ///< a call that emptied another number of slots than its span has
  kTemperature,     ///< a cold fill that was warm, or a warm one that was cold
  kUpdate,          ///< an update that did not change exactly one slot
  kArm,             ///< a futex wait that did not fail as it must, or that stayed armed
  kPayload,         ///< a message that arrived with another content
  kSqDropped,       ///< an SQE that the kernel dropped
  kCqOverflow,      ///< a completion that did not fit
  kOutstanding,     ///< something left in a ring after the round
  kSubmit,          ///< io_uring_enter failed, or took less than the batch
  kTimeout,         ///< a batch did not complete in time
  kCpuMigrated,     ///< the round ended on another CPU than the pinned one
  kClockSource,     ///< the kernel changed its clock source
  kCount
};

constexpr std::size_t kCheckCount = static_cast<std::size_t>(Check::kCount);

/// The check's name as it stands in counters (`check.<name>`) and messages.
std::string_view check_name(Check check) noexcept;

/// Failures per check, and the first failure of each in words. A check that nobody performed has
/// no count at all, so that a zero always means "looked at, and right".
class CheckReport {
 public:
  /// Says that `check` was done, whatever its outcome.
  void performed(Check check) noexcept { at(check).performed = true; }

  /// Counts `count` failures of `check`; the first detail is kept.
  void fail(Check check, std::string detail, std::uint64_t count = 1);

  bool was_performed(Check check) const noexcept { return at(check).performed; }
  std::uint64_t failures(Check check) const noexcept { return at(check).failures; }
  bool passed() const noexcept;

  /// One line for a person: every failed check with its count and first detail.
  std::string summary() const;

 private:
  struct Entry {
    bool performed = false;
    std::uint64_t failures = 0;
    std::string first;
  };
  Entry& at(Check check) noexcept { return entries_[static_cast<std::size_t>(check)]; }
  const Entry& at(Check check) const noexcept { return entries_[static_cast<std::size_t>(check)]; }

  std::array<Entry, kCheckCount> entries_{};
};

}  // namespace msgring::workload
