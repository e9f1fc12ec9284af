// SPDX-License-Identifier: MIT
// Completions as they are kept: copied raw in the timed region, judged afterwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "workload/mapped_array.hpp"

namespace msgring::workload {

/// The 16 bytes of an io_uring_cqe.
struct Completion {
  std::uint64_t user_data;
  std::int32_t result;
  std::uint32_t flags;
};
static_assert(sizeof(Completion) == 16);

/// The result of an operation whose completion never came, or of a call that was never made.
constexpr std::int32_t kNoResult = std::numeric_limits<std::int32_t>::min();

/// A result in words: "EBADF" for -9, "3" for 3, "no result" for kNoResult.
std::string result_text(std::int32_t result);

/// A preallocated log of one stream of completions.
class CompletionLog {
 public:
  CompletionLog() = default;
  explicit CompletionLog(std::uint32_t capacity) : entries_(capacity) {}

  void reset() noexcept {
    entries_.clear();
    count_ = 0;
  }

  std::uint32_t count() const noexcept { return count_; }
  std::uint32_t room() const noexcept {
    return static_cast<std::uint32_t>(entries_.size()) - count_;
  }
  Completion* end() noexcept { return entries_.data() + count_; }
  void grow_by(std::uint32_t count) noexcept { count_ += count; }
  std::span<const Completion> entries() const noexcept { return {entries_.data(), count_}; }

 private:
  MappedArray<Completion> entries_;
  std::uint32_t count_ = 0;
};

/// Which stream a completion belongs to.
enum class Stream : std::uint16_t { kSource = 0x5352, kTarget = 0x5447, kReadBack = 0x5242 };

/// `user_data` of the first operation of a stream in a round; operation n has this plus n. Stream
/// and round are part of it, so that nothing left over from elsewhere can be taken for ours.
constexpr std::uint64_t user_data_base(Stream stream, std::uint32_t round) noexcept {
  return (static_cast<std::uint64_t>(stream) << 48U) |
         (static_cast<std::uint64_t>(round & 0xFFFFU) << 32U);
}

}  // namespace msgring::workload
