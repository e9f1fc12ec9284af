// SPDX-License-Identifier: MIT
#include "trace/counting.hpp"

#include <gmock/gmock.h>

namespace msgring::trace {
namespace {

/// "outer;inner 2", one a chain.
std::vector<std::string> lines_of(const std::vector<CallCount>& counts) {
  std::vector<std::string> lines;
  for (const CallCount& count : counts) {
    std::string line;
    for (const std::string& function : count.chain) {
      line += (line.empty() ? "" : ";") + function;
    }
    lines.push_back(line + " " + std::to_string(count.calls));
  }
  return lines;
}

// Two installs, the second without a node; then a call outside of any.
const std::vector<CallEvent> kCalls{{10, 0, "send"}, {11, 1, "install"}, {12, 2, "node"},
                                    {20, 0, "send"}, {21, 1, "install"}, {30, 0, "node"}};

TEST(Counting, CallsNestByTheirDepth) {
  EXPECT_THAT(lines_of(count_calls(kCalls, 0, 100)),
              testing::ElementsAre("send 2", "send;install 2", "send;install;node 1", "node 1"));
}

TEST(Counting, OnlyThePhaseCountsButItsCallersAreKnown) {
  // From the first install's node on: its callers began before.
  EXPECT_THAT(lines_of(count_calls(kCalls, 12, 21)),
              testing::ElementsAre("send;install;node 1", "send 1", "send;install 1"));
  EXPECT_THAT(count_calls(kCalls, 40, 50), testing::IsEmpty());
}

TEST(Counting, NestedCountsAreNotTotals) {
  PhaseTrace phase{"fill", "install", 2, count_calls(kCalls, 0, 100), {}};
  EXPECT_EQ(phase.calls_of("node"), 2U);
  EXPECT_EQ(phase.calls_inside("node", "install"), 1U);
  EXPECT_EQ(phase.calls_inside("node", "send"), 1U);  // not directly
  EXPECT_EQ(phase.calls_inside("node", "node"), 0U);
  EXPECT_EQ(phase.calls_of("absent"), 0U);
}

TEST(Counting, MemoryIsCountedBySite) {
  const std::vector<MemoryRecord> records{{10, true, "cache_new", 64},
                                          {11, false, "kfree_rcu", 0},
                                          {12, true, "cache_new", 64},
                                          {13, true, "other", 8},
                                          {99, true, "late", 8}};
  const std::vector<SiteCount> sites = count_sites(records, 10, 13);
  ASSERT_EQ(sites.size(), 3U);
  EXPECT_EQ(sites[0].site, "cache_new");
  EXPECT_EQ(sites[0].count, 2U);
  EXPECT_EQ(sites[0].bytes, 128U);
  EXPECT_EQ(sites[1].site, "other");
  EXPECT_EQ(sites[2].event, MemoryEvent::kFree);
  EXPECT_EQ(sites[2].count, 1U);
}

}  // namespace
}  // namespace msgring::trace
