// SPDX-License-Identifier: MIT
// The floor: the least that a program can do to have files installed. No liburing, SQEs filled
// beforehand, completions only counted. What harness_cost measures the timed region against.
#pragma once

#include <cstdint>
#include <memory>

namespace msgring::bench {

/// Fills sparse tables of fresh target rings like first_fill, but checks and records nothing.
class Floor {
 public:
  /// Throws std::system_error.
  Floor(std::uint32_t slots, std::uint32_t batch);
  ~Floor();
  Floor(const Floor&) = delete;
  Floor& operator=(const Floor&) = delete;

  /// Untimed: a fresh target ring with an empty table, every SQE filled.
  void prepare();
  /// Timed by itself: nanoseconds for the fill. 0 if a batch did not complete at once.
  std::uint64_t run() noexcept;
  /// Untimed: closes the target ring.
  void teardown() noexcept;

 private:
  class RawRing;
  std::uint32_t slots_;
  std::uint32_t batch_;
  int file_;
  std::unique_ptr<RawRing> source_;
  std::unique_ptr<RawRing> target_;
};

}  // namespace msgring::bench
