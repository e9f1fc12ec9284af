// SPDX-License-Identifier: MIT
// A zero count means "looked at, and right"; a check that nobody performed has no count.
#include "msgring/workload/check_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

namespace msgring::workload {
namespace {

TEST(CheckReport, AnUnperformedCheckIsNotAPassedOne) {
  CheckReport report;
  EXPECT_FALSE(report.was_performed(Check::kSentinel));
  report.performed(Check::kSentinel);
  EXPECT_TRUE(report.was_performed(Check::kSentinel));
  EXPECT_EQ(report.failures(Check::kSentinel), 0U);
  EXPECT_TRUE(report.passed());
}

TEST(CheckReport, AFailureCountsAsPerformedAndKeepsItsFirstDetail) {
  CheckReport report;
  report.fail(Check::kSentinel, "slot 3");
  report.fail(Check::kSentinel, "slot 9", 2);
  EXPECT_TRUE(report.was_performed(Check::kSentinel));
  EXPECT_EQ(report.failures(Check::kSentinel), 3U);
  EXPECT_FALSE(report.passed());
  EXPECT_EQ(report.summary(), "sentinel 3x (first: slot 3)");
}

TEST(CheckReport, EveryCheckHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (std::size_t index = 0; index < kCheckCount; ++index) {
    const std::string_view name = check_name(static_cast<Check>(index));
    EXPECT_THAT(std::string(name), testing::MatchesRegex("[a-z_]+"));
    EXPECT_TRUE(names.insert(name).second) << name;
  }
}

}  // namespace
}  // namespace msgring::workload
