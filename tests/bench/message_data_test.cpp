// SPDX-License-Identifier: MIT
// message_data on the real kernel, to both kinds of target, and a message with another content.
#include <gtest/gtest.h>

#include <array>

#include "kernel.hpp"
#include "msgring/uring/abi.hpp"
#include "workload/checks.hpp"
#include "workload/message_checks.hpp"

namespace msgring::workload {
namespace {

using testing_kernel::of_operations;
using testing_kernel::Shape;

class MessageDataShape : public testing::TestWithParam<Shape> {};

TEST_P(MessageDataShape, PassesAllChecksRoundAfterRound) {
  testing_kernel::expect_good_rounds("message_data", GetParam());
}

TEST_P(MessageDataShape, PassesWithADeferredTargetThatEntersItself) {
  Shape shape = GetParam();
  shape.calls *= 2;
  testing_kernel::expect_good_rounds("message_data_deferred", shape);
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, MessageDataShape,
    testing::Values(of_operations("many", 5000, 64), of_operations("one", 1, 1),
                    of_operations("batch_above_operations", 10, 64),
                    of_operations("batch_grows_both_rings", 3000, 1024),
                    of_operations("deferred", 1000, 64, RingProfile::kDeferTaskrun)),
    [](const auto& shape) { return shape.param.name; });

TEST(MessageData, ADeferredTargetNeedsNoExtraCalls) {
  std::string why;
  Options options;
  options.operations = 1000;
  const auto workload = testing_kernel::make_workload("message_data_deferred", options, why);
  if (!workload) {
    GTEST_SKIP() << why;
  }
  EXPECT_EQ(testing_kernel::one_round(*workload).enters.extra_calls, 0U);
}

TEST(MessageData, AnotherContentIsFound) {
  MSGRING_NEEDS_SEND_FD();
  uring::Ring source({8, 0, 0}, "source ring");
  uring::Ring target({8, 0, 0}, "target ring");
  io_uring_sqe* const sqe = io_uring_get_sqe(source.raw());
  io_uring_prep_rw(IORING_OP_MSG_RING, sqe, target.fd(), nullptr, payload_of(1, 1), 0);
  ASSERT_EQ(io_uring_submit_and_wait(source.raw(), 1), 1);
  io_uring_cqe* arrived = nullptr;
  ASSERT_EQ(io_uring_peek_cqe(target.raw(), &arrived), 0);
  CheckReport report;
  check_messages(std::array{0}, std::array{arrived->res}, 1, report);  // message 0 was due
  EXPECT_EQ(report.failures(Check::kPayload), 1U);
}

}  // namespace
}  // namespace msgring::workload
