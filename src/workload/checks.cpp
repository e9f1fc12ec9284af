// SPDX-License-Identifier: MIT
#include "workload/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "msgring/error.hpp"
#include "workload/sentinel_file.hpp"

namespace msgring::workload {
namespace {

/// The slot that operation `number` took, or kNoResult with the failure counted.
std::int32_t slot_of(std::uint32_t number, std::int32_t source,
                     const InstallExpectation& expectation, CheckReport& report) {
  if (source == kNoResult) {
    return kNoResult;  // counted as a missing completion already
  }
  if (source < 0) {
    report.fail(Check::kSourceResult,
                fmt::format("operation {}: {}", number, expectation.explain(source)));
    return kNoResult;
  }
  if (expectation.slot_report != SlotReport::kNeither) {
    return source;
  }
  if (source != 0) {
    report.fail(Check::kSourceResult,
                fmt::format("operation {}: result {} where 0 is due", number, source));
  }
  return static_cast<std::int32_t>(expectation.explicit_first + number);
}

void check_pair(std::uint32_t number, std::int32_t slot, std::int32_t target,
                const InstallExpectation& expectation, CheckReport& report) {
  if (target == kNoResult) {
    return;
  }
  if (target < 0) {
    report.fail(Check::kTargetResult, fmt::format("operation {}: {}", number, result_text(target)));
    return;
  }
  const std::int32_t due = expectation.slot_report == SlotReport::kBoth ? slot : 0;
  if (target != due) {
    report.fail(Check::kPairMismatch,
                fmt::format("operation {}: target says {}, {} is due", number, target, due));
  }
}

}  // namespace

void check_stream(std::span<const Completion> log, std::uint64_t base, const StreamChecks& checks,
                  std::span<std::int32_t> results, CheckReport& report) {
  for (const Check check : {checks.missing, checks.duplicate, checks.foreign, checks.flags}) {
    report.performed(check);
  }
  std::fill(results.begin(), results.end(), kNoResult);
  for (const Completion& completion : log) {
    const std::uint64_t number = completion.user_data - base;
    if (number >= results.size()) {
      report.fail(checks.foreign, fmt::format("user_data {:#x}", completion.user_data));
      continue;
    }
    if (completion.flags != 0) {
      report.fail(checks.flags, fmt::format("operation {}: flags {:#x}", number, completion.flags));
    }
    if (results[number] != kNoResult) {
      report.fail(checks.duplicate, fmt::format("operation {}", number));
      continue;
    }
    results[number] = completion.result;
  }
  const auto missing = std::find(results.begin(), results.end(), kNoResult);
  if (missing != results.end()) {
    report.fail(checks.missing, fmt::format("operation {}", missing - results.begin()),
                static_cast<std::uint64_t>(std::count(missing, results.end(), kNoResult)));
  }
}

void check_installs(std::span<const std::int32_t> source, std::span<const std::int32_t> target,
                    const InstallExpectation& expectation, SlotSet& filled, CheckReport& report) {
  for (const Check check : {Check::kSourceResult, Check::kSlotRange, Check::kSlotDuplicate}) {
    report.performed(check);
  }
  if (!target.empty()) {
    report.performed(Check::kTargetResult);
    report.performed(Check::kPairMismatch);
  }
  for (std::uint32_t number = 0; number < source.size(); ++number) {
    const std::int32_t slot = slot_of(number, source[number], expectation, report);
    if (slot == kNoResult) {
      continue;
    }
    if (!target.empty()) {
      check_pair(number, slot, target[number], expectation, report);
    }
    const auto index = static_cast<std::uint32_t>(slot);
    if (index >= expectation.slots) {
      report.fail(Check::kSlotRange,
                  fmt::format("operation {}: slot {} of {}", number, slot, expectation.slots));
    } else if (filled[index]) {
      report.fail(Check::kSlotDuplicate, fmt::format("operation {}: slot {}", number, slot));
    } else {
      filled[index] = true;
    }
  }
}

void check_all_filled(const SlotSet& filled, CheckReport& report) {
  report.performed(Check::kSlotMissing);
  const auto missing = std::find(filled.begin(), filled.end(), false);
  if (missing != filled.end()) {
    report.fail(Check::kSlotMissing, fmt::format("slot {}", missing - filled.begin()),
                static_cast<std::uint64_t>(std::count(missing, filled.end(), false)));
  }
}

SlotContents contents_of(const SlotSet& filled, std::uint8_t file) {
  SlotContents contents(filled.size(), kEmptySlot);
  for (std::size_t slot = 0; slot < filled.size(); ++slot) {
    contents[slot] = filled[slot] ? file : kEmptySlot;
  }
  return contents;
}

void check_read_back(std::uint32_t slot, std::uint8_t content, std::int32_t result,
                     std::uint8_t byte, CheckReport& report) {
  report.performed(Check::kSlotUnreadable);
  report.performed(Check::kSentinel);
  if (content == kEmptySlot) {
    if (result != -EBADF) {
      report.fail(Check::kSlotUnreadable, fmt::format("slot {} should be empty, a read gave {}",
                                                      slot, result_text(result)));
    }
    return;
  }
  const std::uint8_t due = sentinel_byte(slot % kSentinelBytes, content);
  if (result != 1) {
    report.fail(Check::kSlotUnreadable,
                fmt::format("slot {}: a read gave {}", slot, result_text(result)));
  } else if (byte != due) {
    report.fail(Check::kSentinel, fmt::format("slot {}: byte {}, {} is due", slot, byte, due));
  }
}

RingState state_of(const uring::Ring& ring) noexcept {
  return {ring.role().c_str(), ring.sq_dropped(), ring.sq_pending(),
          ring.cq_overflow(),  ring.cq_ready(),   ring.cq_overflow_flagged()};
}

void check_ring(const RingState& state, CheckReport& report) {
  for (const Check check : {Check::kSqDropped, Check::kCqOverflow, Check::kOutstanding}) {
    report.performed(check);
  }
  if (state.sq_dropped != 0) {
    report.fail(Check::kSqDropped, state.role, state.sq_dropped);
  }
  if (state.cq_overflow != 0 || state.cq_overflow_flagged) {
    report.fail(Check::kCqOverflow, state.role, std::max(1U, state.cq_overflow));
  }
  if (state.sq_pending != 0 || state.cq_ready != 0) {
    report.fail(
        Check::kOutstanding,
        fmt::format("{}: {} SQEs, {} completions", state.role, state.sq_pending, state.cq_ready),
        state.sq_pending + state.cq_ready);
  }
}

void check_enters(const EnterLog& log, CheckReport& report) {
  report.performed(Check::kSubmit);
  report.performed(Check::kTimeout);
  report.performed(Check::kCqOverflow);
  if (log.overflows != 0) {
    report.fail(Check::kCqOverflow, "a queue was full during the round", log.overflows);
  }
  if (log.error != 0) {
    report.fail(Check::kSubmit, fmt::format("io_uring_enter: {}", errno_name(log.error)));
  }
  if (log.timeouts != 0) {
    report.fail(Check::kTimeout, "a batch did not complete in time", log.timeouts);
  }
}

}  // namespace msgring::workload
