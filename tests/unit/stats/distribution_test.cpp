// SPDX-License-Identifier: MIT
// Summaries, random numbers, intervals: known answers and properties.
#include "msgring/stats/distribution.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "msgring/stats/random.hpp"
#include "msgring/stats/shape.hpp"
#include "msgring/stats/summary.hpp"

namespace msgring::stats {
namespace {

TEST(Summary, KnownAnswers) {
  // 2, 4, 4, 10: mean 20/4 = 5, median 4, squares 9+1+1+25 = 36, sd sqrt(36/3) = 3.4641
  const std::vector<double> rounds = {10, 4, 2, 4};
  const Summary all = summarize(rounds);
  EXPECT_EQ(all.n, 4U);
  EXPECT_DOUBLE_EQ(all.mean, 5.0);
  EXPECT_DOUBLE_EQ(all.median, 4.0);
  EXPECT_DOUBLE_EQ(all.sd, std::sqrt(12.0));
  EXPECT_DOUBLE_EQ(all.cv, std::sqrt(12.0) / 5.0);
  EXPECT_DOUBLE_EQ(all.min, 2.0);
  EXPECT_DOUBLE_EQ(all.max, 10.0);
  const Summary rest = summarize_without_first(rounds);  // 4, 2, 4
  EXPECT_DOUBLE_EQ(rest.mean, 10.0 / 3.0);
  EXPECT_DOUBLE_EQ(rest.median, 4.0);
}

TEST(Summary, NoRoundsAndOneRoundHaveNoSpread) {
  EXPECT_EQ(summarize({}).n, 0U);
  const std::array<double, 1> one = {7.0};
  EXPECT_DOUBLE_EQ(summarize(one).mean, 7.0);
  EXPECT_DOUBLE_EQ(summarize(one).cv, 0.0);
  EXPECT_EQ(summarize_without_first(one).n, 0U);
}

TEST(Random, IsSplitMix64) {
  // First outputs for seed 1234567 of the algorithm as published.
  SplitMix64 random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317U);
  EXPECT_EQ(random.next(), 3203168211198807973U);
}

TEST(Random, BoundedDrawsAreUniformAndInside) {
  SplitMix64 random(7);
  std::array<int, 15> seen{};
  for (int i = 0; i < 150'000; ++i) {
    ++seen.at(random.below(15));
  }
  for (const int count : seen) {
    EXPECT_NEAR(count, 10'000, 500);  // 5 standard deviations of sqrt(10000 * 14/15) = 97
  }
}

TEST(Distribution, PercentileReadsQuantiles) {
  // 1..99: the k-th value stands at k / 100, so the central 90 % are 5 to 95.
  std::vector<double> values;
  for (int i = 99; i >= 1; --i) {
    values.push_back(i);
  }
  const Distribution distribution(values, 50.0, 0.0);
  EXPECT_DOUBLE_EQ(distribution.percentile(0.90).low, 5.0);
  EXPECT_DOUBLE_EQ(distribution.percentile(0.90).high, 95.0);
  const Interval bca = distribution.bca(0.90);
  EXPECT_NEAR(bca.low, 5.0, 1e-9) << "no bias, no acceleration: BCa is the percentile interval";
  EXPECT_NEAR(bca.high, 95.0, 1e-9);
}

TEST(Distribution, BcaMovesWithBias) {
  std::vector<double> values;
  for (int i = 1; i <= 99; ++i) {
    values.push_back(i);
  }
  // The estimate at the 60th of 99: z0 = probit(59.5/99) = 0.2541. Ends at Phi(2*0.2541 -+ 1.6449)
  // = 0.1278 and 0.9843 of 100 places.
  const Interval bca = Distribution(values, 60.0, 0.0).bca(0.90);
  EXPECT_NEAR(bca.low, 12.8, 0.1);
  EXPECT_NEAR(bca.high, 98.4, 0.1);
}

TEST(Distribution, PValueCountsTheOtherSide) {
  // 8 of 99 at or below 0: 2 * (8 + 1) / 100
  std::vector<double> values;
  for (int i = -7; i <= 91; ++i) {
    values.push_back(i);
  }
  const Distribution distribution(values, 42.0, 0.0);
  EXPECT_DOUBLE_EQ(distribution.p_value(0.0), 0.18);
  EXPECT_DOUBLE_EQ(distribution.p_value(2.0), 0.22) << "a margin counts 1 and 2 as well";
  EXPECT_DOUBLE_EQ(Distribution({-1.0}, -1.0, 0.0).p_value(0.0), 1.0) << "2 * 1/2";
}

TEST(Bootstrap, IsDeterministicAndCentred) {
  const RoleRounds a = {{100, 101.31, 98.77, 99.92}, {102, 101.13, 102.71, 102.16}};
  const RoleRounds b = {{110, 111.19, 108.83, 109.98}};
  const Distribution first = bootstrap_delta(a, b, 10'000, 42);
  const Distribution second = bootstrap_delta(a, b, 10'000, 42);
  EXPECT_EQ(first.percentile(0.95), second.percentile(0.95));
  const Interval interval = first.percentile(0.95);
  const double delta = 110.0 / 101.0 - 1.0;  // means 100, 102 and 110
  EXPECT_LT(interval.low, delta);
  EXPECT_GT(interval.high, delta);
  EXPECT_NE(bootstrap_delta(a, b, 10'000, 43).percentile(0.95), interval);
}

TEST(Bootstrap, FewBootsAreStretchedToTheirTrueSpread) {
  // Two boots without spread inside, means 99 and 101: a drawn mean is 99, 100 or 101 with 1/4,
  // 1/2, 1/4, stretched by sqrt(2) about 100. B is constant, so the ends are 100/(100 +- sqrt 2)
  // - 1.
  const Distribution drawn = bootstrap_delta({{99, 99}, {101, 101}}, {{100, 100}}, 10'000, 1);
  EXPECT_NEAR(drawn.percentile(0.95).low, 100.0 / (100.0 + std::sqrt(2.0)) - 1.0, 1e-12);
  EXPECT_NEAR(drawn.percentile(0.95).high, 100.0 / (100.0 - std::sqrt(2.0)) - 1.0, 1e-12);
}

TEST(Bootstrap, ConstantRoundsGiveAPoint) {
  const Distribution drawn = bootstrap_delta({{100, 100}}, {{110, 110}}, 100, 1);
  EXPECT_DOUBLE_EQ(drawn.percentile(0.95).low, drawn.percentile(0.95).high);
  EXPECT_DOUBLE_EQ(drawn.bca(0.95).low, drawn.percentile(0.95).low);
}

TEST(Student, KnownAnswer) {
  // 1, 2, 3: mean 2, sd 1, t(2 df, 97.5 %) = 4.302653, half width 4.302653 / sqrt 3 = 2.484138
  const Interval interval = student_interval({1, 2, 3}, 0.95);
  EXPECT_NEAR(interval.low, 2.0 - 2.484138, 1e-5);
  EXPECT_NEAR(interval.high, 2.0 + 2.484138, 1e-5);
  // t = 2 * sqrt 3 = 3.4641 with 2 df: p = 0.07418
  EXPECT_NEAR(student_p_value({1, 2, 3}), 0.07418, 1e-5);
  EXPECT_DOUBLE_EQ(student_p_value({0, 0}), 1.0);
  EXPECT_DOUBLE_EQ(student_p_value({1, 1}), 0.0);
}

TEST(Shape, EveryOtherRoundAtTwiceTheCostIsNamed) {
  std::vector<double> rounds;
  rounds.reserve(15);
  for (int i = 0; i < 15; ++i) {
    rounds.push_back((i % 2 == 0 ? 100.0 : 200.0) + i * 0.1);
  }
  const auto modes = find_two_modes(rounds);
  ASSERT_TRUE(modes);
  EXPECT_NEAR(modes->lower_mean, 100.7, 1e-9);  // even i: 0.1 * (0+2+...+14) / 8
  EXPECT_NEAR(modes->upper_mean, 200.7, 1e-9);  // odd i: 0.1 * (1+3+...+13) / 7
  EXPECT_NEAR(modes->upper_share, 7.0 / 15.0, 1e-12);
}

TEST(Shape, OneCloudAndOneOutlierAreNotTwoModes) {
  std::vector<double> rounds;
  rounds.reserve(15);
  for (int i = 0; i < 15; ++i) {
    rounds.push_back(100.0 + i);
  }
  EXPECT_FALSE(find_two_modes(rounds));
  std::vector<double> outlier(15, 100.0);
  outlier[4] = 300.0;
  EXPECT_FALSE(find_two_modes(outlier));
  EXPECT_FALSE(find_two_modes(std::vector<double>{1, 2, 1, 2})) << "too few rounds to say";
}

TEST(Shape, SpreadRatioIsRelativeToEachMean) {
  // sd 1 at 100 and sd 10 at 200: 1 % against 5 %
  const RoleRounds calm = {{99, 101, 99, 101, 100}};
  const RoleRounds wild = {{190, 210, 190, 210, 200}};
  EXPECT_NEAR(*spread_ratio(calm, wild), 5.0, 1e-9);
  EXPECT_NEAR(*spread_ratio(wild, calm), 5.0, 1e-9);
  EXPECT_FALSE(spread_ratio({{1, 1, 1, 1, 1}}, wild));
}

}  // namespace
}  // namespace msgring::stats
