// SPDX-License-Identifier: MIT
// Register, remove and update, proved by damage.
#include "workload/table_checks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <set>

#include "failed_checks.hpp"
#include "workload/sentinel_file.hpp"

namespace msgring::workload {
namespace {

constexpr std::uint32_t kSlots = 8;

TEST(TableChecks, AFailedRegistrationFails) {
  CheckReport good;
  check_register("IORING_REGISTER_FILES2", 0, good);
  EXPECT_TRUE(good.passed());
  EXPECT_TRUE(good.was_performed(Check::kRegister));
  CheckReport refused;
  check_register("IORING_REGISTER_FILES2", -EMFILE, refused);
  EXPECT_THAT(failed(refused), testing::ElementsAre("register"));
  EXPECT_THAT(refused.summary(), testing::HasSubstr("IORING_REGISTER_FILES2: EMFILE"));
  CheckReport never_called;
  check_register("IORING_REGISTER_FILES2", kNoResult, never_called);
  EXPECT_THAT(failed(never_called), testing::ElementsAre("register"));
}

TEST(TableChecks, ATableOfAnotherSizeFails) {
  CheckReport good;
  check_table_size(kSlots, 1, -EINVAL, good);
  EXPECT_TRUE(good.passed());
  CheckReport too_small;
  check_table_size(kSlots, -EINVAL, -EINVAL, too_small);
  EXPECT_THAT(failed(too_small), testing::ElementsAre("register"));
  EXPECT_THAT(too_small.summary(), testing::HasSubstr("no slot 7 in a table of 8"));
  CheckReport too_large;
  check_table_size(kSlots, 1, 1, too_large);
  EXPECT_THAT(failed(too_large), testing::ElementsAre("register"));
}

TEST(TableChecks, SpansAreTheFewestThatHoldTheSlots) {
  EXPECT_THAT(spans_of({false, false}), testing::IsEmpty());
  EXPECT_THAT(spans_of({true, true, true}), testing::ElementsAre(SlotSpan{0, 3}));
  // An inventory that wrapped around the table's end.
  EXPECT_THAT(spans_of({true, false, false, true, true}),
              testing::ElementsAre(SlotSpan{0, 1}, SlotSpan{3, 2}));
}

TEST(TableChecks, EveryRemovalThatIsNotItsSpanFails) {
  const std::array spans{SlotSpan{0, 3}, SlotSpan{5, 2}};
  CheckReport good;
  check_removals(spans, std::array{3, 2}, good);
  EXPECT_TRUE(good.passed());
  EXPECT_TRUE(good.was_performed(Check::kRemoval));
  const std::array<std::array<std::int32_t, 2>, 4> damaged{
      std::array{3, 1}, std::array{3, 3}, std::array{3, -EBADF}, std::array{3, kNoResult}};
  for (const auto& results : damaged) {
    CheckReport report;
    check_removals(spans, results, report);
    EXPECT_THAT(failed(report), testing::ElementsAre("removal"));
    EXPECT_EQ(report.failures(Check::kRemoval), 1U);
    EXPECT_THAT(report.summary(), testing::HasSubstr("slots 5 to 6"));
  }
}

TEST(TableChecks, ARemovalCallThatWasNeverMadeFails) {
  const std::array spans{SlotSpan{0, 3}, SlotSpan{5, 2}};
  CheckReport report;
  check_removals(spans, std::array{3}, report);
  EXPECT_THAT(failed(report), testing::ElementsAre("removal"));
}

TEST(TableChecks, AnUpdateThatIsNotOneSlotFails) {
  CheckReport good;
  check_updates(std::array{1, 1, 1}, good);
  EXPECT_TRUE(good.passed());
  for (const std::int32_t damage : {0, 2, -EBADF, -EINVAL}) {
    CheckReport report;
    check_updates(std::array{1, damage, 1}, report);
    EXPECT_THAT(failed(report), testing::ElementsAre("update"));
    EXPECT_THAT(report.summary(), testing::HasSubstr("update 1"));
  }
}

TEST(TableChecks, ALostUpdateIsCountedAsMissingOnly) {
  CheckReport report;
  check_updates(std::array{1, kNoResult}, report);
  EXPECT_TRUE(report.passed());
}

TEST(TableChecks, TheLastUpdateOfASlotCounts) {
  const std::array updates{Update{2, 5}, Update{0, 1}, Update{2, 7}};
  EXPECT_THAT(contents_after(updates, 4), testing::ElementsAre(1, 0, 7, 0));
}

TEST(TableChecks, RandomUpdatesStayInRangeReachEverySlotAndRepeat) {
  const std::vector<Update> updates = random_updates(2000, 16, 4);
  std::set<std::uint32_t> slots;
  for (const Update& update : updates) {
    EXPECT_LT(update.slot, 16U);
    EXPECT_LT(update.content, 4U);
    slots.insert(update.slot);
  }
  EXPECT_EQ(slots.size(), 16U);
  const std::vector<Update> again = random_updates(2000, 16, 4);
  for (std::size_t number = 0; number < updates.size(); ++number) {
    ASSERT_EQ(updates[number].slot, again[number].slot);
    ASSERT_EQ(updates[number].content, again[number].content);
  }
}

/// Judges a table that holds `actual` against the plan.
CheckReport read_back(const SlotContents& due, const SlotContents& actual) {
  CheckReport report;
  for (std::uint32_t slot = 0; slot < due.size(); ++slot) {
    check_read_back(slot, due[slot], 1, sentinel_byte(slot, actual[slot]), report);
  }
  return report;
}

TEST(TableChecks, AnUpdateThatWentToTheWrongSlotShowsInBoth) {
  const std::array plan{Update{1, 4}, Update{2, 5}, Update{3, 6}};
  std::array done = plan;
  const SlotContents due = contents_after(plan, kSlots);
  EXPECT_TRUE(read_back(due, contents_after(done, kSlots)).passed());
  done[1].slot = 7;
  const CheckReport report = read_back(due, contents_after(done, kSlots));
  EXPECT_THAT(failed(report), testing::ElementsAre("sentinel"));
  EXPECT_EQ(report.failures(Check::kSentinel), 2U);  // slot 2 kept its file, slot 7 lost its own
}

TEST(TableChecks, UpdatesInAnotherOrderShow) {
  const std::array plan{Update{1, 4}, Update{1, 5}};
  const std::array done{Update{1, 5}, Update{1, 4}};
  EXPECT_THAT(failed(read_back(contents_after(plan, kSlots), contents_after(done, kSlots))),
              testing::ElementsAre("sentinel"));
}

}  // namespace
}  // namespace msgring::workload
