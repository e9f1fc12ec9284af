// SPDX-License-Identifier: MIT
// A message that failed, or that arrived with another content, is found.
#include "workload/message_checks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <vector>

#include "failed_checks.hpp"
#include "workload/checks.hpp"

namespace msgring::workload {
namespace {

constexpr std::uint32_t kRound = 3;
constexpr std::uint32_t kMessages = 5;

struct Messages {
  std::vector<std::int32_t> sent = std::vector<std::int32_t>(kMessages, 0);
  std::vector<std::int32_t> received;

  Messages() {
    for (std::uint32_t number = 0; number < kMessages; ++number) {
      received.push_back(static_cast<std::int32_t>(payload_of(number, kRound)));
    }
  }
  CheckReport judge() const {
    CheckReport report;
    check_messages(sent, received, kRound, report);
    return report;
  }
};

TEST(MessageChecks, GoodMessagesPass) {
  const CheckReport report = Messages().judge();
  EXPECT_TRUE(report.passed()) << report.summary();
  EXPECT_TRUE(report.was_performed(Check::kPayload));
}

TEST(MessageChecks, ContentsSwappedBetweenMessagesFail) {
  Messages messages;
  std::swap(messages.received[1], messages.received[2]);
  EXPECT_EQ(messages.judge().failures(Check::kPayload), 2U);
}

TEST(MessageChecks, AContentOfAnotherRoundFails) {
  Messages messages;
  messages.received[4] = static_cast<std::int32_t>(payload_of(4, kRound - 1));
  EXPECT_THAT(failed(messages.judge()), testing::ElementsAre("payload"));
}

TEST(MessageChecks, AFailedSendFails) {
  Messages messages;
  messages.sent[0] = -EOVERFLOW;
  EXPECT_THAT(failed(messages.judge()), testing::ElementsAre("source_result"));
  messages.sent[0] = 1;
  EXPECT_THAT(failed(messages.judge()), testing::ElementsAre("source_result"));
}

TEST(MessageChecks, AMissingCompletionIsCountedElsewhere) {
  Messages messages;
  messages.sent[0] = messages.received[3] = kNoResult;
  EXPECT_TRUE(messages.judge().passed());
}

TEST(MessageChecks, ContentsAreNeverErrors) {
  for (std::uint32_t number = 0; number < 100'000; ++number) {
    ASSERT_GE(static_cast<std::int32_t>(payload_of(number, 0xFFFF)), 0);
  }
}

}  // namespace
}  // namespace msgring::workload
