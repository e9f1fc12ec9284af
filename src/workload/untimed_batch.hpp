// SPDX-License-Identifier: MIT
// One batch of operations outside every timed region: how checks look at the kernel's state.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <span>

#include "msgring/uring/ring.hpp"
#include "workload/batch.hpp"
#include "workload/checks.hpp"

namespace msgring::workload {

/// Submits results.size() operations (at most the ring's entries) in one call and waits for them.
/// `user_data` is `base` plus the operation's number; `patch(sqe, n)` sets the rest. Writes each
/// operation's result. False, with a failure of `slot_unreadable`, if a completion is missing,
/// foreign or doubled, so that the results mean nothing. The ring must be idle.
template <class Patch>
bool run_untimed(uring::Ring& ring, const SqeShape& shape, std::uint64_t base,
                 std::span<std::int32_t> results, std::int64_t timeout_s, CheckReport& report,
                 Patch patch) {
  const auto count = static_cast<std::uint32_t>(results.size());
  CompletionLog log(count);
  SubmissionQueue submission(ring);
  Reaper reaper(ring, timeout_s, log);
  EnterLog enters;
  run_batches<TargetDrain::kPassive>(submission, reaper, nullptr, {shape, 0, count, count}, enters,
                                     NoBatchClock{}, [&](io_uring_sqe& sqe, std::uint32_t number) {
                                       patch(sqe, number);
                                       sqe.user_data = base + number;
                                     });
  CheckReport batch;
  check_stream(log.entries(), base, kTargetStream, results, batch);
  check_enters(enters, batch);
  if (!batch.passed()) {
    report.fail(Check::kSlotUnreadable, fmt::format("reading back: {}", batch.summary()));
  }
  return batch.passed();
}

}  // namespace msgring::workload
