// SPDX-License-Identifier: MIT
// The timed region's machinery: publish a batch of SQEs, enter once, copy the completions out.
//
// Everything inline here runs between two clock reads. It neither allocates nor throws, and looks
// at no completion: it only counts them, since a batch is over when its completions are there.
#pragma once

#include <liburing.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "msgring/uring/enter.hpp"
#include "msgring/uring/ring.hpp"
#include "msgring/workload/workload.hpp"
#include "workload/completion.hpp"

namespace msgring::workload {

/// The 64 bytes that the SQEs of a run have in common. (A type of its own, since io_uring_sqe ends
/// in a flexible member and cannot be one.) Four values of vector type and no array, so that a
/// local copy stays in registers.
class SqeShape {
 public:
  explicit SqeShape(const io_uring_sqe& sqe) noexcept { std::memcpy(this, &sqe, sizeof(*this)); }
  void copy_to(io_uring_sqe& sqe) const noexcept {
    auto* const to = reinterpret_cast<std::byte*>(&sqe);
    std::memcpy(to, &first_, kPart);
    std::memcpy(to + kPart, &second_, kPart);
    std::memcpy(to + 2 * kPart, &third_, kPart);
    std::memcpy(to + 3 * kPart, &fourth_, kPart);
  }

 private:
  static constexpr std::size_t kPart = 16;
  using Part [[gnu::vector_size(kPart)]] = std::int64_t;
  Part first_;
  Part second_;
  Part third_;
  Part fourth_;
};
static_assert(sizeof(io_uring_sqe) == sizeof(SqeShape));

/// A ring's submission queue, filled in place. The index array is the identity (uring::Ring).
class SubmissionQueue {
 public:
  explicit SubmissionQueue(uring::Ring& ring) noexcept
      : sqes_(ring.raw()->sq.sqes),
        ktail_(ring.raw()->sq.ktail),
        khead_(ring.raw()->sq.khead),
        entries_(ring.sq_entries()) {}

  /// Writes `count` SQEs that look like `shape` and publishes them with one store of the tail.
  /// `patch(sqe, n)` sets what differs in operation n, n from `first`. `count` is at most the
  /// ring's entries, and all earlier SQEs have been consumed.
  template <class Patch>
  void publish(const SqeShape& shape, std::uint32_t first, std::uint32_t count,
               Patch patch) noexcept {
    const std::uint32_t tail = *ktail_;
    const std::uint32_t start = tail & (entries_ - 1);
    const std::uint32_t run = std::min(count, entries_ - start);
    write(sqes_ + start, shape, first, run, patch);
    write(sqes_, shape, first + run, count - run, patch);
    std::atomic_ref(*ktail_).store(tail + count, std::memory_order_release);
  }

  std::uint32_t pending() const noexcept {
    return *ktail_ - std::atomic_ref(*khead_).load(std::memory_order_acquire);
  }

 private:
  template <class Patch>
  static void write(io_uring_sqe* sqe, SqeShape shape, std::uint32_t first, std::uint32_t count,
                    Patch patch) noexcept {
    for (std::uint32_t end = first + count; first != end; ++first, ++sqe) {
      shape.copy_to(*sqe);
      patch(*sqe, first);
    }
  }

  io_uring_sqe* sqes_;
  unsigned* ktail_;
  unsigned* khead_;
  std::uint32_t entries_;
};

/// A ring's completion queue, copied out in at most two runs.
class CompletionQueue {
 public:
  explicit CompletionQueue(uring::Ring& ring) noexcept
      : cqes_(ring.raw()->cq.cqes),
        khead_(ring.raw()->cq.khead),
        ktail_(ring.raw()->cq.ktail),
        entries_(ring.cq_entries()) {}

  /// Moves every completion that is there to the end of `log`, as far as it has room. What has no
  /// room stays in the queue, where the check for leftovers finds it.
  void drain(CompletionLog& log) noexcept {
    const std::uint32_t head = *khead_;
    const std::uint32_t tail = std::atomic_ref(*ktail_).load(std::memory_order_acquire);
    const std::uint32_t count = std::min(tail - head, log.room());
    const std::uint32_t start = head & (entries_ - 1);
    const std::uint32_t run = std::min(count, entries_ - start);
    std::memcpy(log.end(), cqes_ + start, run * sizeof(Completion));
    if (count != run) {
      std::memcpy(log.end() + run, cqes_, (count - run) * sizeof(Completion));
    }
    log.grow_by(count);
    std::atomic_ref(*khead_).store(head + count, std::memory_order_release);
  }

 private:
  io_uring_cqe* cqes_;
  unsigned* khead_;
  unsigned* ktail_;
  std::uint32_t entries_;
};

/// One stream of completions: where they arrive, where they are kept.
struct Reaper {
  const uring::Ring* ring;
  CompletionQueue queue;
  uring::Enter enter;
  CompletionLog* log;
  std::uint32_t due;  ///< completions that the batches so far must have produced

  /// What `into` holds already counts as due.
  Reaper(uring::Ring& from, std::int64_t timeout_s, CompletionLog& into) noexcept
      : ring(&from), queue(from), enter(from, timeout_s), log(&into), due(into.count()) {}
  /// 0 exactly when as many completions arrived as were due.
  std::uint32_t imbalance() const noexcept { return due - log->count(); }
  /// Completions still to come; surplus ones do not count against it.
  std::uint32_t missing() const noexcept { return log->count() < due ? due - log->count() : 0; }
};

/// Calls io_uring_enter until `source` and `target` (may be null) have all that is due, a call
/// times out, or one fails. False: give the round up. Cold: no batch of a good round comes here,
/// except where the kernel delivers completions only to a later call.
bool catch_up(SubmissionQueue& submission, Reaper& source, Reaper* target, EnterLog& log) noexcept;

/// A stretch of like operations: numbers `first` to `first + count - 1`, `batch` to a system call.
struct Stretch {
  SqeShape shape;
  std::uint32_t first;
  std::uint32_t count;
  std::uint32_t batch;
};

/// How completions get into the target's queue.
enum class TargetDrain {
  kPassive,  ///< the sender's call puts them there
  kOwnEnter  ///< the target must enter the kernel itself (deferred task work)
};

/// Stands where batches are not timed, and costs nothing there.
struct NoBatchClock {
  void begin() const noexcept {}
  void end(std::uint32_t /*operations*/) const noexcept {}
};

/// Submits a stretch batch by batch and drains both streams after each call. Each operation
/// completes once in `source`, and once in `target` unless that is null. `patch(sqe, n)` sets what
/// differs in operation n. `clock` frames each batch.
template <TargetDrain Drain, class BatchClock, class Patch>
inline void run_batches(SubmissionQueue& submission, Reaper& source, Reaper* target,
                        const Stretch& stretch, EnterLog& log, BatchClock clock,
                        Patch patch) noexcept {
  const std::uint32_t end = stretch.first + stretch.count;
  for (std::uint32_t first = stretch.first; first != end;) {
    const std::uint32_t now = std::min(stretch.batch, end - first);
    clock.begin();
    submission.publish(stretch.shape, first, now, patch);
    source.due += now;
    const int submitted = source.enter(now, now);
    ++log.calls;
    source.queue.drain(*source.log);
    std::uint32_t imbalance = source.imbalance() | (static_cast<std::uint32_t>(submitted) ^ now);
    if (target != nullptr) {
      target->due += now;
      if constexpr (Drain == TargetDrain::kOwnEnter) {
        target->enter(0, now);
        ++log.calls;
      }
      target->queue.drain(*target->log);
      imbalance |= target->imbalance();
    }
    if (imbalance != 0) [[unlikely]] {
      if (!catch_up(submission, source, target, log)) {
        return;
      }
    }
    clock.end(now);
    first += now;
  }
}

}  // namespace msgring::workload
