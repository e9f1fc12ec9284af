// SPDX-License-Identifier: MIT
// futex_rearm on the real kernel, and a wait that did arm.
#include <gtest/gtest.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <climits>

#include "kernel.hpp"
#include "msgring/uring/abi.hpp"
#include "workload/checks.hpp"
#include "workload/futex_checks.hpp"

namespace msgring::workload {
namespace {

using testing_kernel::of_operations;
using testing_kernel::Shape;

class FutexRearmShape : public testing::TestWithParam<Shape> {};

TEST_P(FutexRearmShape, PassesAllChecksRoundAfterRound) {
  testing_kernel::expect_good_rounds("futex_rearm", GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, FutexRearmShape,
    testing::Values(of_operations("many", 5000, 64), of_operations("one", 1, 1),
                    of_operations("batch_above_operations", 10, 64),
                    of_operations("deferred", 1000, 64, RingProfile::kDeferTaskrun)),
    [](const auto& shape) { return shape.param.name; });

TEST(FutexRearm, AWaitThatArmedIsFound) {
  std::string why;
  if (!testing_kernel::make_workload("futex_rearm", {}, why)) {
    GTEST_SKIP() << why;
  }
  const std::uint32_t word = 1;
  uring::Ring ring({8, 0, 0}, "ring");
  io_uring_sqe* const sqe = io_uring_get_sqe(ring.raw());
  io_uring_prep_rw(uring::kOpFutexWait, sqe, uring::kFutex2SizeU32 | uring::kFutex2Private, &word,
                   0,
                   1);  // the value that the word has
  sqe->addr3 = FUTEX_BITSET_MATCH_ANY;
  ASSERT_EQ(io_uring_submit(ring.raw()), 1);
  const long woken = ::syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
  CheckReport report;
  check_arms(std::array{kNoResult}, woken, report);
  EXPECT_EQ(report.failures(Check::kArm), 1U);
}

}  // namespace
}  // namespace msgring::workload
