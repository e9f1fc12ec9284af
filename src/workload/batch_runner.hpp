// SPDX-License-Identifier: MIT
// BatchRunner: numbered operations on a ring, batch by batch, with preallocated logs of one or two
// streams of completions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "msgring/uring/ring.hpp"
#include "msgring/workload/options.hpp"
#include "workload/batch.hpp"
#include "workload/batch_times.hpp"
#include "workload/checks.hpp"
#include "workload/completion.hpp"

namespace msgring::workload {

/// The set-up of a ring that `batch` SQEs at a time are submitted to: the report's 256 entries, or
/// as many as the batch has.
uring::RingSetup submitting_ring(std::uint32_t batch, RingProfile profile) noexcept;

/// The set-up of a ring that `batch` completions at a time are posted to. By default a CQ holds
/// twice the SQ's entries; only a larger batch asks for more.
uring::RingSetup receiving_ring(std::uint32_t batch, RingProfile profile) noexcept;

/// Which completions the operations give.
enum class Streams { kSource, kSourceAndTarget };

/// A round is restart(), then aim() and run() once for each stretch, then check(). Operations are
/// numbered through from restart() on. Memory: 20 bytes per operation and stream.
class BatchRunner {
 public:
  /// `most_operations`: the largest number between two restart(). Throws std::system_error when the
  /// memory is not to be had.
  BatchRunner(const Options& options, std::uint64_t most_operations, Streams streams);

  /// Untimed: empties the logs; the next operation is number 0 of a new round.
  void restart() noexcept;

  /// Untimed: aims the next `count` operations at `source`; with two streams, what they give to
  /// `target` is kept as well. Neither allocates nor throws.
  void aim(uring::Ring& source, uring::Ring* target, const SqeShape& shape,
           std::uint32_t count) noexcept;

  /// Timed: the stretch that was aimed. `patch(sqe, n)` sets what differs in operation n, which
  /// includes its `user_data`, source_base() + n. `times`: where to keep the batches' times, or
  /// nullptr.
  template <TargetDrain Drain = TargetDrain::kPassive, class Patch>
  void run(BatchTimes* times, Patch patch) noexcept {
    Reaper* const target = aim_->target ? &*aim_->target : nullptr;
    if (times == nullptr) [[likely]] {
      run_batches<Drain>(aim_->submission, aim_->source, target, aim_->stretch, enters_,
                         NoBatchClock{}, patch);
    } else {
      run_batches<Drain>(aim_->submission, aim_->source, target, aim_->stretch, enters_,
                         BatchClock(*times), patch);
    }
  }

  /// Untimed: checks the calls and both streams of everything since restart().
  void check(CheckReport& report);
  /// After check(): the results by number, kNoResult for a completion that never came.
  std::span<const std::int32_t> source_results() const noexcept;
  /// Empty if no target completions are kept.
  std::span<const std::int32_t> target_results() const noexcept;

  /// The number of the next operation: how many there were since restart(), after run().
  std::uint32_t next() const noexcept { return next_; }
  /// A number that differs from one restart() to the next: part of every user_data.
  std::uint32_t round() const noexcept { return round_; }
  const EnterLog& enters() const noexcept { return enters_; }
  std::uint64_t source_base() const noexcept { return user_data_base(Stream::kSource, round_); }
  std::uint64_t target_base() const noexcept { return user_data_base(Stream::kTarget, round_); }

 private:
  /// One stretch: where it submits, where its completions come from, what its SQEs look like.
  struct Aim {
    Aim(uring::Ring& ring, std::int64_t timeout_s, CompletionLog& log,
        const Stretch& operations) noexcept
        : submission(ring), source(ring, timeout_s, log), stretch(operations) {}

    SubmissionQueue submission;
    Reaper source;
    std::optional<Reaper> target;
    Stretch stretch;
  };

  std::uint32_t batch_;
  std::int64_t timeout_s_;
  CompletionLog source_log_;
  CompletionLog target_log_;
  std::vector<std::int32_t> source_results_;
  std::vector<std::int32_t> target_results_;
  EnterLog enters_;
  std::optional<Aim> aim_;
  std::uint32_t next_ = 0;
  std::uint32_t round_ = 0;
};

}  // namespace msgring::workload
