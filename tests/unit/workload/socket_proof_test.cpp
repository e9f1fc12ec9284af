// SPDX-License-Identifier: MIT
// A slot without a working socket, and one that another slot's message came from, are found.
#include "workload/socket_proof.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "failed_checks.hpp"

namespace msgring::workload {
namespace {

std::vector<std::string> judge(bool filled, std::int32_t result,
                               std::optional<std::uint32_t> arrived) {
  CheckReport report;
  check_socket_slot(7, filled, result, arrived, report);
  EXPECT_TRUE(report.was_performed(Check::kSlotUnreadable));
  return failed(report);
}

TEST(SocketProof, AFilledSlotMustDeliverItsOwnNumber) {
  EXPECT_THAT(judge(true, 4, 7), testing::IsEmpty());
  EXPECT_THAT(judge(true, 4, 8), testing::ElementsAre("sentinel"));
  EXPECT_THAT(judge(true, 4, std::nullopt), testing::ElementsAre("sentinel"));
  EXPECT_THAT(judge(true, 3, 7), testing::ElementsAre("slot_unreadable"));
  EXPECT_THAT(judge(true, -ENOTSOCK, std::nullopt), testing::ElementsAre("slot_unreadable"));
  EXPECT_THAT(judge(true, -EBADF, std::nullopt), testing::ElementsAre("slot_unreadable"));
}

TEST(SocketProof, AnEmptySlotMustBeEmpty) {
  EXPECT_THAT(judge(false, -EBADF, std::nullopt), testing::IsEmpty());
  EXPECT_THAT(judge(false, 4, 7), testing::ElementsAre("slot_unreadable"));
}

}  // namespace
}  // namespace msgring::workload
