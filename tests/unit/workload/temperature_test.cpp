// SPDX-License-Identifier: MIT
// A cold fill that was warm and a warm one that was cold are found; the pairs' figures.
#include "workload/temperature.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <functional>
#include <ostream>
#include <vector>

#include "failed_checks.hpp"

namespace msgring::workload {
namespace {

constexpr std::uint32_t kSlots = 128;

/// Two pairs, as the kernel tells them.
std::vector<FillHistory> good_pairs() {
  return {{Temperature::kCold, 10, 0, kNoResult, 0},
          {Temperature::kWarm, 11, kSlots, 0, 0},
          {Temperature::kWarm, 12, kSlots, 0, 0},
          {Temperature::kCold, 13, 0, kNoResult, 0}};
}

CheckReport judge(const std::vector<FillHistory>& fills) {
  CheckReport report;
  check_temperatures(fills, kSlots, report);
  return report;
}

TEST(Temperature, GoodPairsPass) {
  const CheckReport report = judge(good_pairs());
  EXPECT_TRUE(report.passed()) << report.summary();
  EXPECT_TRUE(report.was_performed(Check::kTemperature));
}

struct Damage {
  const char* name;
  std::function<void(std::vector<FillHistory>&)> apply;
  friend void PrintTo(const Damage& damage, std::ostream* out) { *out << damage.name; }
};

class DamagedPairs : public testing::TestWithParam<Damage> {};

TEST_P(DamagedPairs, FailOnce) {
  std::vector<FillHistory> fills = good_pairs();
  GetParam().apply(fills);
  const CheckReport report = judge(fills);
  EXPECT_THAT(failed(report), testing::ElementsAre("temperature"));
  EXPECT_EQ(report.failures(Check::kTemperature), 1U);
}

INSTANTIATE_TEST_SUITE_P(
    Histories, DamagedPairs,
    testing::Values(
        Damage{"a_warm_fill_that_was_cold", [](auto& fills) { fills[1].posted = 0; }},
        Damage{"a_warm_up_that_lost_an_install", [](auto& fills) { fills[1].posted = kSlots - 1; }},
        Damage{"a_cold_fill_that_was_warm", [](auto& fills) { fills[0].posted = kSlots; }},
        Damage{"a_cold_ring_that_had_a_table", [](auto& fills) { fills[0].unregistered = 0; }},
        Damage{"no_table_to_take_away", [](auto& fills) { fills[1].unregistered = -ENXIO; }},
        Damage{"the_table_was_never_taken_away",
               [](auto& fills) { fills[1].unregistered = kNoResult; }},
        Damage{"the_old_table_was_still_there", [](auto& fills) { fills[2].registered = -EBUSY; }},
        Damage{"a_ring_used_twice", [](auto& fills) { fills[2].ring_fd = fills[1].ring_fd; }}),
    [](const auto& damage) { return damage.param.name; });

TEST(Temperature, WithoutTargetCompletionsNoneMayHaveBeenPosted) {
  std::vector<FillHistory> fills = good_pairs();
  fills[1].posted = fills[2].posted = 0;
  CheckReport report;
  check_temperatures(fills, 0, report);
  EXPECT_TRUE(report.passed()) << report.summary();
}

TEST(Temperature, PairsAreSummedUpAsWarmMinusCold) {
  const std::array cold{10.0, 10.0, 10.0};
  const std::array warm{8.0, 13.0, 9.0};
  const PairSummary summary = summarize_pairs(cold, warm);  // -2, +3, -1
  EXPECT_DOUBLE_EQ(summary.mean, 0.0);                      // (-2 + 3 - 1) / 3
  EXPECT_DOUBLE_EQ(summary.median, -1.0);
  EXPECT_EQ(summary.warm_cheaper, 2U);
}

TEST(Temperature, AnEvenNumberOfPairsHasTheMiddleOfTheTwoMiddleOnes) {
  const std::array cold{10.0, 10.0};
  const std::array warm{8.0, 10.0};
  const PairSummary summary = summarize_pairs(cold, warm);  // -2, 0
  EXPECT_DOUBLE_EQ(summary.median, -1.0);
  EXPECT_EQ(summary.warm_cheaper, 1U);  // equal is not cheaper
}

}  // namespace
}  // namespace msgring::workload
