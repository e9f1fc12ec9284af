// SPDX-License-Identifier: MIT
// A migrated CPU and a changed clock source fail a round.
#include "workload/conditions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace msgring::workload {
namespace {

TEST(Conditions, ARoundMustBeginAndEndOnThePinnedCpu) {
  CheckReport good;
  check_cpu(2, 2, 2, good);
  EXPECT_TRUE(good.passed());
  EXPECT_TRUE(good.was_performed(Check::kCpuMigrated));
  CheckReport ended_elsewhere;
  check_cpu(2, 2, 3, ended_elsewhere);
  EXPECT_EQ(ended_elsewhere.failures(Check::kCpuMigrated), 1U);
  CheckReport began_elsewhere;
  check_cpu(2, 1, 2, began_elsewhere);
  EXPECT_EQ(began_elsewhere.failures(Check::kCpuMigrated), 1U);
  EXPECT_THAT(began_elsewhere.summary(), testing::HasSubstr("pinned to CPU 2, began on 1"));
}

TEST(Conditions, TheClockSourceMustStay) {
  CheckReport good;
  check_clock_source("tsc", "tsc", good);
  EXPECT_TRUE(good.passed());
  CheckReport changed;
  check_clock_source("tsc", "hpet", changed);
  EXPECT_EQ(changed.failures(Check::kClockSource), 1U);
  EXPECT_THAT(changed.summary(), testing::HasSubstr("tsc became hpet"));
}

}  // namespace
}  // namespace msgring::workload
