// SPDX-License-Identifier: MIT
// cache on the real kernel; what the kernel says of rings that are not what they are claimed to be.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "kernel.hpp"
#include "workload/fd_sender.hpp"
#include "workload/register_call.hpp"
#include "workload/temperature.hpp"

namespace msgring::workload {
namespace {

using testing_kernel::calls_for;
using testing_kernel::explicit_skipped_deferred;
using testing_kernel::Shape;

Shape sized(const char* name, std::uint32_t slots, std::uint32_t replicates, std::uint32_t batch) {
  Options options;
  options.slots = slots;
  options.replicates = replicates;
  options.batch = batch;
  const std::uint64_t installs = std::uint64_t{slots} * replicates;
  // One cold fill, one to warm up, one warm fill.
  return {name, options, {installs, installs}, 3 * replicates * calls_for(slots, batch)};
}

class CacheShape : public testing::TestWithParam<Shape> {};

TEST_P(CacheShape, PassesAllChecksRoundAfterRound) {
  testing_kernel::expect_good_rounds("cache", GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, CacheShape,
    testing::Values(sized("as_discussed", 128, 32, 64), sized("one_pair", 128, 1, 64),
                    sized("one_slot", 1, 3, 1), sized("batch_above_table", 10, 3, 64),
                    explicit_skipped_deferred(sized("explicit_skipped_deferred", 100, 4, 64))),
    [](const auto& shape) { return shape.param.name; });

TEST(Cache, CountsItsPairs) {
  MSGRING_NEEDS_SEND_FD();
  Options options;
  options.slots = 64;
  options.replicates = 5;
  const RoundResult result = testing_kernel::one_round("cache", options);
  std::map<std::string, double> counters;
  for (const Counter& counter : result.counters) {
    counters[counter.name] = counter.value;
  }
  EXPECT_EQ(counters.at("pairs"), 5.0);
  EXPECT_LE(counters.at("pairs_warm_cheaper"), 5.0);
  // The mean of the pairs is the difference of the phases: both are sums over the same fills.
  const double difference = (static_cast<double>(result.samples[1].elapsed()) -
                             static_cast<double>(result.samples[0].elapsed())) /
                            static_cast<double>(result.samples[0].operations);
  EXPECT_NEAR(counters.at("pair_difference_ns"), difference, 1e-6);
}

/// What the kernel says of a ring right before a fill that is claimed to be warm.
FillHistory history(uring::Ring& ring, std::int32_t unregistered, std::int32_t registered) {
  return {Temperature::kWarm, ring.fd(), ring.cq_posted(), unregistered, registered};
}

std::uint64_t judge(const FillHistory& fill) {
  CheckReport report;
  check_temperatures(std::span(&fill, 1), 8, report);
  return report.failures(Check::kTemperature);
}

TEST(Cache, TheKernelTellsAWarmRingFromOthers) {
  MSGRING_NEEDS_SEND_FD();
  FdSender sender({}, 8);
  uring::Ring warm = sender.make_target();
  warm.register_sparse_files(8);
  sender.fill_untimed(warm, {8}, 8);
  const std::int32_t unregistered = unregister_table(warm);
  EXPECT_EQ(judge(history(warm, unregistered, register_sparse_table(warm, 8))), 0U);

  uring::Ring never_filled = sender.make_target();
  never_filled.register_sparse_files(8);
  const std::int32_t taken = unregister_table(never_filled);
  EXPECT_EQ(judge(history(never_filled, taken, register_sparse_table(never_filled, 8))), 1U);

  uring::Ring no_table = sender.make_target();
  const std::int32_t none = unregister_table(no_table);
  EXPECT_EQ(none, -ENXIO);
  EXPECT_EQ(judge(history(no_table, none, register_sparse_table(no_table, 8))), 1U);

  uring::Ring still_filled = sender.make_target();
  still_filled.register_sparse_files(8);
  sender.fill_untimed(still_filled, {8}, 8);
  const std::int32_t busy = register_sparse_table(still_filled, 8);
  EXPECT_EQ(busy, -EBUSY);
  EXPECT_EQ(judge(history(still_filled, kNoResult, busy)), 1U);
}

TEST(Cache, ARoundThatFindsNoDescriptorThrowsInCheck) {
  MSGRING_NEEDS_SEND_FD();
  Options options;
  options.slots = 8;
  options.replicates = 8;
  const auto workload = find_workload("cache")->make(options);
  workload->prepare();
  {
    const testing_kernel::DescriptorLimit limit(5);
    workload->run();
  }
  CheckReport report;
  EXPECT_THROW(workload->check(report), std::exception);
  workload->teardown();
}

}  // namespace
}  // namespace msgring::workload
