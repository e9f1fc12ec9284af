// SPDX-License-Identifier: MIT
// A wait that did not fail, or that stayed armed, is found.
#include "workload/futex_checks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cerrno>

#include "failed_checks.hpp"
#include "workload/checks.hpp"

namespace msgring::workload {
namespace {

TEST(FutexChecks, EveryWaitMustFailWithEagain) {
  CheckReport good;
  check_arms(std::array{-EAGAIN, -EAGAIN}, 0, good);
  EXPECT_TRUE(good.passed());
  EXPECT_TRUE(good.was_performed(Check::kArm));
  for (const std::int32_t damage : {0, -EINVAL, -ENOMEM, -ECANCELED}) {
    CheckReport report;
    check_arms(std::array{-EAGAIN, damage}, 0, report);
    EXPECT_THAT(failed(report), testing::ElementsAre("arm"));
    EXPECT_THAT(report.summary(), testing::HasSubstr("wait 1"));
  }
}

TEST(FutexChecks, AWaitThatStayedArmedFails) {
  CheckReport report;
  check_arms(std::array{-EAGAIN, kNoResult}, 1, report);  // its completion is missing as well
  EXPECT_THAT(failed(report), testing::ElementsAre("arm"));
  EXPECT_THAT(report.summary(), testing::HasSubstr("1 waits were still armed"));
}

TEST(FutexChecks, NotBeingAbleToAskFails) {
  CheckReport report;
  check_arms({}, -1, report);
  EXPECT_THAT(failed(report), testing::ElementsAre("arm"));
}

}  // namespace
}  // namespace msgring::workload
