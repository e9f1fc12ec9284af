// SPDX-License-Identifier: MIT
// Tails: ranks, units, and nothing at all where nobody asked.
#include "workload/batch_times.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "msgring/workload/tails.hpp"

namespace msgring::workload {
namespace {

std::vector<std::pair<std::string, double>> tails_of(const BatchTimes& times) {
  std::vector<Counter> counters;
  add_tails("fill", times, counters);
  std::vector<std::pair<std::string, double>> pairs;
  for (const Counter& counter : counters) {
    pairs.emplace_back(counter.name, counter.value);
  }
  return pairs;
}

Options with_tails() {
  Options options;
  options.tails = Tails::kPerBatch;
  return options;
}

TEST(BatchTimes, WithoutTailsNothingIsTimedOrCounted) {
  BatchTimes times(Options{}, 64);
  EXPECT_EQ(times.recorder(), nullptr);
  EXPECT_THAT(tails_of(times), testing::IsEmpty());
}

TEST(BatchTimes, RanksAreNearestRanksOfCostsPerOperation) {
  BatchTimes times(with_tails(), 200);
  ASSERT_EQ(times.recorder(), &times);
  for (std::uint32_t batch = 200; batch > 0; --batch) {
    times.record(std::uint64_t{batch} * 10, 10);  // 1 to 200 ticks per operation, falling
  }
  // 200 values: rank 100 is 100, rank 180 is 180, rank 198 is 198, the last is 200.
  EXPECT_THAT(
      tails_of(times),
      testing::ElementsAre(testing::Pair("fill_p50_ns", 100), testing::Pair("fill_p90_ns", 180),
                           testing::Pair("fill_p99_ns", 198), testing::Pair("fill_max_ns", 200)));
}

TEST(BatchTimes, AShortBatchCountsItsOwnOperations) {
  BatchTimes times(with_tails(), 2);
  times.record(640, 64);
  times.record(60, 3);
  EXPECT_THAT(tails_of(times), testing::Contains(testing::Pair("fill_max_ns", 20)));  // 60 / 3
}

TEST(BatchTimes, OneBatchIsEveryRank) {
  BatchTimes times(with_tails(), 4);
  times.record(50, 5);
  EXPECT_THAT(tails_of(times),
              testing::Each(testing::Field(&std::pair<std::string, double>::second, 10)));
}

TEST(BatchTimes, ABatchWithoutRoomIsNotKept) {
  BatchTimes times(with_tails(), 1);
  times.record(1, 1);
  times.record(2, 1);
  EXPECT_EQ(times.entries().size(), 1U);
  times.reset();
  EXPECT_EQ(times.entries().size(), 0U);
}

TEST(BatchTimes, InstructionsAreNamedSo) {
  Options options = with_tails();
  options.clock = host::ClockKind::kTsc;
  BatchTimes times(options, 1);
  times.record(8, 2);
  EXPECT_THAT(tails_of(times), testing::Contains(testing::Pair("fill_p50_instructions", 4)));
}

TEST(BatchTimes, TheClockHasACost) {
  EXPECT_GT(batch_clock_cost(host::ClockKind::kMonotonicRaw), 0.0);
}

}  // namespace
}  // namespace msgring::workload
