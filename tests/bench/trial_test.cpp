// SPDX-License-Identifier: MIT
// What a kernel does not know is told from what it does differently.
#include "workload/trial.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "kernel.hpp"
#include "msgring/error.hpp"

namespace msgring::workload {
namespace {

SqeShape shape_of(std::uint8_t operation) {
  io_uring_sqe sqe{};
  sqe.opcode = operation;
  return SqeShape(sqe);
}

/// How demand_operation() ends for `operation` if `due` is expected.
Error error_of(std::uint8_t operation, std::int32_t due) {
  uring::Ring ring({8, 0, 0}, "ring");
  try {
    demand_operation(ring, shape_of(operation), due, "the operation", "needs another kernel");
  } catch (const Error& error) {
    return error;
  }
  return {ExitStatus::kOk, "no error"};
}

TEST(Trial, AnOperationThatDoesItsWorkPasses) {
  MSGRING_NEEDS_SEND_FD();
  uring::Ring ring({8, 0, 0}, "ring");
  const Trial trial = demand_operation(ring, shape_of(IORING_OP_NOP), 0, "NOP", "");
  EXPECT_EQ(trial.result, 0);
  EXPECT_TRUE(trial.at_once);
  EXPECT_EQ(ring.cq_ready(), 0U);
}

TEST(Trial, AnUnknownOperationIsTheKernelsLack) {
  MSGRING_NEEDS_SEND_FD();
  const Error error = error_of(250, 0);
  EXPECT_EQ(error.status(), ExitStatus::kEnvironment);
  EXPECT_THAT(error.what(), testing::HasSubstr("the operation: a trial gave EINVAL, 0 is due"));
  EXPECT_EQ(error.hint(), "needs another kernel");
}

TEST(Trial, AnotherResultThanDueIsInvalidAndNoReasonToSkip) {
  MSGRING_NEEDS_SEND_FD();
  const Error error = error_of(IORING_OP_NOP, -EAGAIN);
  EXPECT_EQ(error.status(), ExitStatus::kInvalid);
  EXPECT_THAT(error.what(), testing::HasSubstr("a trial gave 0, EAGAIN is due"));
}

TEST(Trial, RefusedSetUpFlagsAreTheKernelsLack) {
  MSGRING_NEEDS_SEND_FD();
  try {
    // Deferred task work without a single issuer is refused by every kernel (io_uring_setup(2)).
    demand_ring({8, 0, IORING_SETUP_DEFER_TASKRUN}, "ring", "needs Linux 6.1 or newer");
    FAIL() << "the kernel took DEFER_TASKRUN alone";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), ExitStatus::kEnvironment);
    EXPECT_EQ(error.hint(), "needs Linux 6.1 or newer");
  }
}

}  // namespace
}  // namespace msgring::workload
