// SPDX-License-Identifier: MIT
// The trial's answer on this kernel, and what it says where something is missing.
#include "msgring/uring/send_fd_trial.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <system_error>

#include "kernel.hpp"

namespace msgring::uring {
namespace {

TEST(SendFdTrial, LeavesNoDescriptorBehind) {
  MSGRING_NEEDS_SEND_FD();
  const int before = workload::testing_kernel::open_descriptors();
  try_send_fd({}, {});
  EXPECT_EQ(workload::testing_kernel::open_descriptors(), before);
}

TEST(SendFdTrial, ASetupThatTheKernelRefusesNamesTheRing) {
  MSGRING_NEEDS_SEND_FD();
  try {
    // Deferred task work without a single issuer is refused by every kernel (io_uring_setup(2)).
    try_setup({8, 0, IORING_SETUP_DEFER_TASKRUN}, "source ring");
    FAIL() << "the kernel took DEFER_TASKRUN alone";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code().value(), EINVAL);
    EXPECT_THAT(error.what(), testing::HasSubstr("io_uring_setup: source ring: EINVAL"));
  }
}

TEST(SendFdTrial, ResultsAreExplained) {
  EXPECT_EQ(explain_send_fd_result(-EOVERFLOW),
            "EOVERFLOW (the file was installed, but the target got no completion)");
  EXPECT_EQ(explain_send_fd_result(-ENXIO), "ENXIO (the target has no file table)");
  EXPECT_EQ(explain_send_fd_result(-EPIPE), "EPIPE");
}

}  // namespace
}  // namespace msgring::uring
