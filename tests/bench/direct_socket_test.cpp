// SPDX-License-Identifier: MIT
// direct_socket on the real kernel, and slots that hold something else.
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <vector>

#include "direct_shapes.hpp"
#include "workload/sentinel_file.hpp"
#include "workload/socket_proof.hpp"

namespace msgring::workload {
namespace {

using testing_kernel::Shape;

class DirectSocketShape : public testing::TestWithParam<Shape> {};

TEST_P(DirectSocketShape, PassesAllChecksRoundAfterRound) {
  testing_kernel::expect_good_rounds("direct_socket", GetParam());
}

INSTANTIATE_TEST_SUITE_P(Sizes, DirectSocketShape,
                         testing::ValuesIn(testing_kernel::direct_shapes()),
                         [](const auto& shape) { return shape.param.name; });

TEST(DirectSocket, SlotsThatHoldSomethingElseAreFound) {
  MSGRING_NEEDS_SEND_FD();
  const host::FileDescriptor datagram(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const host::FileDescriptor stream(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const host::FileDescriptor file = make_sentinel_file();
  uring::Ring ring({16, 0, 0}, "ring");
  ring.register_files(std::vector<int>{datagram.get(), stream.get(), file.get(), -1});
  SocketProof proof;
  CheckReport good;
  proof.prove(ring, {true}, 1, 5, good);
  EXPECT_TRUE(good.passed()) << good.summary();
  CheckReport report;
  proof.prove(ring, {true, true, true, true}, 2, 5, report);
  EXPECT_EQ(report.failures(Check::kSlotUnreadable), 3U) << report.summary();
}

}  // namespace
}  // namespace msgring::workload
