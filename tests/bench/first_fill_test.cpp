// SPDX-License-Identifier: MIT
// first_fill on the real kernel, in the reported shape and at its edges.
#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>

#include "kernel.hpp"

namespace msgring::workload {
namespace {

using testing_kernel::one_round;

struct Shape {
  const char* name;
  Options options;
  friend void PrintTo(const Shape& shape, std::ostream* out) { *out << shape.name; }
};

Options sized(std::uint32_t slots, std::uint32_t batch) {
  Options options;
  options.slots = slots;
  options.batch = batch;
  return options;
}

Options with(RingProfile source, RingProfile target) {
  Options options = sized(512, 64);
  options.source_profile = source;
  options.target_profile = target;
  return options;
}

Options explicit_slots() {
  Options options = sized(300, 64);
  options.slot_mode = SlotMode::kExplicit;
  return options;
}

Options skipped_completions(SlotMode mode) {
  Options options = sized(300, 64);
  options.slot_mode = mode;
  options.target_completion = TargetCompletion::kSkipped;
  return options;
}

class FirstFillShape : public testing::TestWithParam<Shape> {};

TEST_P(FirstFillShape, PassesAllChecksRoundAfterRound) {
  MSGRING_NEEDS_SEND_FD();
  const Options& options = GetParam().options;
  const auto workload = find_workload("first_fill")->make(options);
  for (int turn = 0; turn < 3; ++turn) {
    const RoundResult result = one_round(*workload);
    EXPECT_TRUE(result.report.passed()) << result.report.summary();
    ASSERT_EQ(result.samples.size(), 1U);
    EXPECT_EQ(result.samples[0].operations, options.slots);
    EXPECT_GT(result.samples[0].elapsed(), 0U);
    EXPECT_EQ(result.enters.calls - result.enters.extra_calls,
              (options.slots + options.batch - 1) / options.batch);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, FirstFillShape,
                         testing::Values(Shape{"reported", sized(4096, 64)},
                                         Shape{"one_slot", sized(1, 1)},
                                         Shape{"batch_of_one", sized(100, 1)},
                                         Shape{"short_last_batch", sized(100, 64)},
                                         Shape{"batch_larger_than_table", sized(10, 64)},
                                         Shape{"whole_ring", sized(1024, 256)},
                                         Shape{"batch_wraps_the_ring", sized(1000, 200)},
                                         Shape{"batch_grows_both_rings", sized(4096, 1024)},
                                         Shape{"largest_batch", sized(1000, 32768)}),
                         [](const auto& shape) { return shape.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Modes, FirstFillShape,
    testing::Values(Shape{"explicit_slots", explicit_slots()},
                    Shape{"skipped_completions", skipped_completions(SlotMode::kAlloc)},
                    Shape{"explicit_and_skipped", skipped_completions(SlotMode::kExplicit)}),
    [](const auto& shape) { return shape.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Profiles, FirstFillShape,
    testing::Values(
        Shape{"single_issuer", with(RingProfile::kSingleIssuer, RingProfile::kSingleIssuer)},
        Shape{"deferred_source", with(RingProfile::kDeferTaskrun, RingProfile::kDefault)},
        Shape{"deferred_target", with(RingProfile::kDefault, RingProfile::kDeferTaskrun)},
        Shape{"deferred_both", with(RingProfile::kDeferTaskrun, RingProfile::kDeferTaskrun)}),
    [](const auto& shape) { return shape.param.name; });

TEST(FirstFill, SkippedCompletionsAreNotClaimedAsChecked) {
  MSGRING_NEEDS_SEND_FD();
  const RoundResult result = one_round("first_fill", skipped_completions(SlotMode::kAlloc));
  EXPECT_FALSE(result.report.was_performed(Check::kTargetMissing));
  EXPECT_TRUE(result.report.was_performed(Check::kSentinel));
}

TEST(FirstFill, LeavesNoDescriptorBehind) {
  MSGRING_NEEDS_SEND_FD();
  one_round("first_fill", sized(64, 64));
  const int before = testing_kernel::open_descriptors();
  one_round("first_fill", sized(64, 64));
  EXPECT_EQ(testing_kernel::open_descriptors(), before);
}

}  // namespace
}  // namespace msgring::workload
