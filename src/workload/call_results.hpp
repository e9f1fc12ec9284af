// SPDX-License-Identifier: MIT
// CallResults: numbered system calls in a timed region, their results kept raw.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "workload/batch_times.hpp"
#include "workload/checks.hpp"
#include "workload/mapped_array.hpp"

namespace msgring::workload {

class CallResults {
 public:
  explicit CallResults(std::uint32_t calls) : results_(calls) {}

  /// Untimed: forgets the last round; a call that is never made leaves kNoResult.
  void reset() noexcept { std::fill_n(results_.data(), results_.size(), kNoResult); }

  /// Timed: keeps `call(n)` for every n. With `times`, `batch` calls at a time are timed.
  template <class Call>
  void record(BatchTimes* times, std::uint32_t batch, Call call) noexcept {
    const auto count = static_cast<std::uint32_t>(results_.size());
    if (times == nullptr) [[likely]] {
      record_some(0, count, call);
      return;
    }
    BatchClock clock(*times);
    for (std::uint32_t first = 0; first < count; first += batch) {
      const std::uint32_t now = std::min(batch, count - first);
      clock.begin();
      record_some(first, first + now, call);
      clock.end(now);
    }
  }

  std::span<const std::int32_t> results() const noexcept { return results_.span(); }

 private:
  template <class Call>
  void record_some(std::uint32_t first, std::uint32_t end, Call& call) noexcept {
    std::int32_t* const results = results_.data();
    for (; first != end; ++first) {
      results[first] = call(first);
    }
  }

  MappedArray<std::int32_t> results_;
};

}  // namespace msgring::workload
