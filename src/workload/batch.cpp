// SPDX-License-Identifier: MIT
// The cold side of the timed region: what to do when a batch is not complete after one call.
#include "workload/batch.hpp"

#include <cerrno>

namespace msgring::workload {
namespace {

/// Completions that did not fit are delivered by the next call and leave no trace after it.
void note_overflow(const Reaper& reaper, EnterLog& log) noexcept {
  if (reaper.ring->cq_overflow_flagged()) {
    ++log.overflows;
  }
}

/// Notes how one more call went. False: the round cannot go on.
bool note(int result, EnterLog& log) noexcept {
  ++log.calls;
  ++log.extra_calls;
  if (result == -EINTR) {
    ++log.interrupted;
    return true;
  }
  if (result == -ETIME) {
    ++log.timeouts;
    return false;
  }
  if (result < 0) {
    log.error = -result;
    return false;
  }
  return true;
}

}  // namespace

bool catch_up(SubmissionQueue& submission, Reaper& source, Reaper* target, EnterLog& log) noexcept {
  note_overflow(source, log);
  if (target != nullptr) {
    note_overflow(*target, log);
  }
  for (;;) {
    const std::uint32_t pending = submission.pending();
    const std::uint32_t source_missing = source.missing();
    const std::uint32_t missing = source_missing + (target != nullptr ? target->missing() : 0);
    if (pending == 0 && missing == 0) {
      return true;
    }
    Reaper& waiting = pending != 0 || source_missing != 0 ? source : *target;
    const int result = waiting.enter(pending, pending != 0 ? 0 : waiting.missing());
    const bool go_on = note(result, log);
    source.queue.drain(*source.log);
    if (target != nullptr) {
      target->queue.drain(*target->log);
    }
    const std::uint32_t still_missing =
        source.missing() + (target != nullptr ? target->missing() : 0);
    const bool progress = submission.pending() != pending || still_missing != missing;
    if (!go_on) {
      return false;
    }
    if (!progress && result >= 0) {
      ++log.timeouts;
      return false;
    }
  }
}

}  // namespace msgring::workload
