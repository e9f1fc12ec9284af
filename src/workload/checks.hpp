// SPDX-License-Identifier: MIT
// The checks that need nothing but logs: pure functions, so that damaged logs can test them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "msgring/uring/send_fd_trial.hpp"
#include "msgring/workload/check_report.hpp"
#include "workload/batch.hpp"
#include "workload/completion.hpp"

namespace msgring::workload {

/// The checks that one stream of completions can fail.
struct StreamChecks {
  Check missing;
  Check duplicate;
  Check foreign;
  Check flags;
};
constexpr StreamChecks kSourceStream{Check::kSourceMissing, Check::kSourceDuplicate,
                                     Check::kSourceForeign, Check::kSourceFlags};
constexpr StreamChecks kTargetStream{Check::kTargetMissing, Check::kTargetDuplicate,
                                     Check::kTargetForeign, Check::kTargetFlags};

/// Every operation 0 .. results.size()-1 must have completed exactly once, with flags 0 and
/// `user_data` = `base` + its number. Writes each operation's result; kNoResult where none came.
void check_stream(std::span<const Completion> log, std::uint64_t base, const StreamChecks& checks,
                  std::span<std::int32_t> results, CheckReport& report);

/// Which slots of a table hold a file, by what the completions said.
using SlotSet = std::vector<bool>;

/// How installs report the slot they took.
enum class SlotReport {
  kBoth,    ///< automatic: sender and target both name it
  kSender,  ///< automatic: only the sender does (the target's completion says 0 or does not exist)
  kNeither  ///< explicit: operation n went to slot first + n, and both results are 0
};

/// What a number of installs must have done.
struct InstallExpectation {
  std::uint32_t slots;               ///< size of the table
  SlotReport slot_report;            ///< see above
  std::uint32_t explicit_first = 0;  ///< kNeither: the slot of operation 0
  /// A negative result in words.
  std::string (*explain)(int) = uring::explain_send_fd_result;
};

/// Checks results, slot range, agreement of the pair and that no slot was taken twice; adds the
/// slots to `filled` (size: the table's). `target` is empty when no target completions are posted.
void check_installs(std::span<const std::int32_t> source, std::span<const std::int32_t> target,
                    const InstallExpectation& expectation, SlotSet& filled, CheckReport& report);

/// Every slot of the table must be in `filled`.
void check_all_filled(const SlotSet& filled, CheckReport& report);

/// What each slot of a table holds: the number of a sentinel file, or kEmptySlot.
using SlotContents = std::vector<std::uint8_t>;
constexpr std::uint8_t kEmptySlot = 0xFF;

/// Sentinel file `file` in every slot of `filled`, and nothing in the others.
SlotContents contents_of(const SlotSet& filled, std::uint8_t file = 0);

/// One slot read back: `result` of a one-byte transfer at offset slot mod 4096 and the byte. A
/// filled slot must give the byte of its `content`, an empty one EBADF.
void check_read_back(std::uint32_t slot, std::uint8_t content, std::int32_t result,
                     std::uint8_t byte, CheckReport& report);

/// A ring's counters after a round.
struct RingState {
  const char* role;
  std::uint32_t sq_dropped;
  std::uint32_t sq_pending;
  std::uint32_t cq_overflow;
  std::uint32_t cq_ready;
  bool cq_overflow_flagged;
};

RingState state_of(const uring::Ring& ring) noexcept;

/// Nothing dropped, nothing overflowed, nothing left.
void check_ring(const RingState& state, CheckReport& report);

/// No system call failed, nothing timed out.
void check_enters(const EnterLog& log, CheckReport& report);

}  // namespace msgring::workload
