// SPDX-License-Identifier: MIT
// What the tests on the real kernel share: the reason to skip, and a pinned round.
#pragma once

#include <sys/resource.h>

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "msgring/workload/round.hpp"

namespace msgring::workload::testing_kernel {

/// Why fd-passing cannot be tried here, or an empty string.
std::string why_no_send_fd();

/// Open descriptors of this process.
int open_descriptors();

/// While it lives, this process can open at most `more` descriptors.
class DescriptorLimit {
 public:
  explicit DescriptorLimit(int more);
  ~DescriptorLimit();
  DescriptorLimit(const DescriptorLimit&) = delete;
  DescriptorLimit& operator=(const DescriptorLimit&) = delete;

 private:
  rlimit before_{};
};

/// Runs one round of `workload` on a CPU that this thread is pinned to.
RoundResult one_round(Workload& workload);

/// The same for the workload called `name` with `options`.
RoundResult one_round(const char* name, const Options& options);

/// A workload's options under a name, and what each phase of a round must then do.
struct Shape {
  const char* name;
  Options options;
  std::vector<std::uint64_t> operations;
  std::uint32_t calls;  ///< io_uring_enter calls of a round that need no extra ones
  friend void PrintTo(const Shape& shape, std::ostream* out) { *out << shape.name; }
};

/// io_uring_enter calls for `operations` in batches of `batch`.
constexpr std::uint32_t calls_for(std::uint32_t operations, std::uint32_t batch) noexcept {
  return (operations + batch - 1) / batch;
}

/// `operations` in batches of `batch` on a ring of `profile`: one phase.
Shape of_operations(const char* name, std::uint32_t operations, std::uint32_t batch,
                    RingProfile profile = RingProfile::kDefault);

/// `shape` with explicit slots, no target completions, and deferred task work on both rings.
Shape explicit_skipped_deferred(Shape shape);

/// The workload, or nullptr where this kernel lacks what it needs: `why` then says what.
std::unique_ptr<Workload> make_workload(const char* name, const Options& options, std::string& why);

/// Runs three rounds and expects them to pass all checks, to do what the shape says, to keep the
/// interval no shorter than its phases, and to leave no descriptor behind. Skips the test where
/// this kernel lacks what the workload needs.
void expect_good_rounds(const char* name, const Shape& shape);

}  // namespace msgring::workload::testing_kernel

/// Skips the test, saying what is missing.
#define MSGRING_NEEDS_SEND_FD()                                                                    \
  if (const std::string why = msgring::workload::testing_kernel::why_no_send_fd(); !why.empty()) { \
    GTEST_SKIP() << why;                                                                           \
  }
