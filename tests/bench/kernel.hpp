// SPDX-License-Identifier: MIT
// What the tests on the real kernel share: the reason to skip, and a pinned round.
#pragma once

#include <string>

#include "msgring/workload/round.hpp"

namespace msgring::workload::testing_kernel {

/// Why fd-passing cannot be tried here, or an empty string.
std::string why_no_send_fd();

/// Open descriptors of this process.
int open_descriptors();

/// Runs one round of `workload` on a CPU that this thread is pinned to.
RoundResult one_round(Workload& workload);

/// The same for the workload called `name` with `options`.
RoundResult one_round(const char* name, const Options& options);

}  // namespace msgring::workload::testing_kernel

/// Skips the test, saying what is missing.
#define MSGRING_NEEDS_SEND_FD()                                                                    \
  if (const std::string why = msgring::workload::testing_kernel::why_no_send_fd(); !why.empty()) { \
    GTEST_SKIP() << why;                                                                           \
  }
