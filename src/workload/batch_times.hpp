// SPDX-License-Identifier: MIT
// Times of single batches (`--tails`): kept raw in the timed region, summed up afterwards.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "msgring/host/clock.hpp"
#include "msgring/workload/options.hpp"
#include "msgring/workload/workload.hpp"
#include "workload/mapped_array.hpp"

namespace msgring::workload {

/// One batch: clock ticks and the operations in it.
struct BatchTime {
  std::uint32_t ticks;
  std::uint32_t operations;
};

/// The batches of one phase of one round. Without `--tails` it has no room, and recorder() is null.
class BatchTimes {
 public:
  BatchTimes() = default;
  /// Room for `batches` batches if the options ask for tails.
  BatchTimes(const Options& options, std::uint64_t batches);

  void reset() noexcept;
  /// What to hand to a timed region: this, or nullptr if batches are not timed.
  BatchTimes* recorder() noexcept { return times_.size() == 0 ? nullptr : this; }
  host::ClockKind clock() const noexcept { return clock_; }

  /// Timed: keeps one batch; a batch without room is not kept.
  void record(std::uint64_t ticks, std::uint32_t operations) noexcept {
    if (count_ != times_.size()) {
      times_.data()[count_++] = {static_cast<std::uint32_t>(ticks), operations};
    }
  }
  std::span<const BatchTime> entries() const noexcept { return {times_.data(), count_}; }

 private:
  MappedArray<BatchTime> times_;
  std::size_t count_ = 0;
  host::ClockKind clock_ = host::ClockKind::kMonotonicRaw;
};

/// The batch clock of run_batches that fills a BatchTimes.
class BatchClock {
 public:
  explicit BatchClock(BatchTimes& times) noexcept : times_(&times), kind_(times.clock()) {}
  void begin() noexcept { began_ = host::read_clock(kind_); }
  void end(std::uint32_t operations) noexcept {
    times_->record(host::read_clock(kind_) - began_, operations);
  }

 private:
  BatchTimes* times_;
  host::ClockKind kind_;
  std::uint64_t began_ = 0;
};

/// Adds `<phase>_p50_<unit>`, `_p90_`, `_p99_` and `_max_`: the cost per operation in the batch at
/// that rank (nearest rank: the smallest that at least so many percent do not exceed). Nothing if
/// no batch was timed.
void add_tails(std::string_view phase, const BatchTimes& times, std::vector<Counter>& counters);

}  // namespace msgring::workload
