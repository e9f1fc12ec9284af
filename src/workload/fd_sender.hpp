// SPDX-License-Identifier: MIT
// FdSender: what all fd-passing workloads share. A source ring that holds the sentinel file, the
// preallocated logs, the batches, and the checks of an install.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "msgring/host/fd.hpp"
#include "msgring/uring/ring.hpp"
#include "msgring/workload/options.hpp"
#include "workload/batch.hpp"
#include "workload/checks.hpp"
#include "workload/completion.hpp"

namespace msgring::workload {

/// Passes the sentinel file into slots of a target ring. One fill at a time:
/// arm() -> send() -> check(). Memory: 40 bytes per install and one bit per slot.
class FdSender {
 public:
  /// Sets up the source ring and finds out by a trial how this kernel reports slots.
  /// `most_installs`: the largest number that arm() will be asked for. Throws.
  FdSender(const Options& options, std::uint32_t most_installs);

  /// A target ring without a table, its CQ large enough for a batch. Throws.
  uring::Ring make_target() const;

  /// Untimed: empties the logs and aims the next `installs` installs at `target`. In explicit
  /// mode they go to slots `first_slot` and up.
  void arm(uring::Ring& target, std::uint32_t installs, std::uint32_t first_slot = 0);

  /// Timed: the armed installs, batch by batch.
  void send() noexcept;

  /// Untimed: checks completions and slots of the last send() and adds its slots to `filled`.
  void check(SlotSet& filled, CheckReport& report);

  /// The calls of io_uring_enter since arm().
  const EnterLog& enters() const noexcept { return enters_; }
  /// A number that differs from one arm() to the next: part of every user_data.
  std::uint32_t round() const noexcept { return round_; }
  std::vector<std::pair<std::string, std::string>> facts() const;

 private:
  /// One fill: where it submits, where its completions come from, what its SQEs look like.
  struct Aim {
    Aim(uring::Ring& source_ring, CompletionLog& source_log, const Options& options,
        std::uint32_t count, const SqeShape& sqe) noexcept
        : submission(source_ring),
          source(source_ring, options.timeout_s, source_log),
          installs(count),
          shape(sqe) {}

    SubmissionQueue submission;
    Reaper source;
    std::optional<Reaper> target;
    std::uint32_t installs;
    SqeShape shape;
  };
  SqeShape shape_for(const uring::Ring& target) const;
  std::uint64_t source_base() const noexcept;
  std::uint64_t target_base() const noexcept;
  SlotReport slot_report() const noexcept;

  Options options_;
  host::FileDescriptor file_;
  uring::Ring source_;
  bool target_reports_slot_;
  CompletionLog source_log_;
  CompletionLog target_log_;
  std::vector<std::int32_t> source_results_;
  std::vector<std::int32_t> target_results_;
  EnterLog enters_;
  std::optional<Aim> aim_;
  std::uint32_t first_slot_ = 0;
  std::uint32_t round_ = 0;
};

}  // namespace msgring::workload
