// SPDX-License-Identifier: MIT
// replace on the real kernel, and a slot that kept its old file.
#include <gtest/gtest.h>

#include "kernel.hpp"
#include "workload/fd_sender.hpp"
#include "workload/read_back.hpp"

namespace msgring::workload {
namespace {

using testing_kernel::calls_for;
using testing_kernel::Shape;

Shape sized(const char* name, std::uint32_t slots, std::uint32_t batch) {
  Options options;
  options.slots = slots;
  options.batch = batch;
  return {name, options, {slots}, calls_for(slots, batch)};
}

Shape with_everything_else() {
  Shape shape = sized("skipped_deferred", 300, 64);
  shape.options.target_completion = TargetCompletion::kSkipped;
  shape.options.source_profile = RingProfile::kDeferTaskrun;
  shape.options.target_profile = RingProfile::kDeferTaskrun;
  return shape;
}

class ReplaceShape : public testing::TestWithParam<Shape> {};

TEST_P(ReplaceShape, PassesAllChecksRoundAfterRound) {
  testing_kernel::expect_good_rounds("replace", GetParam());
}

INSTANTIATE_TEST_SUITE_P(Sizes, ReplaceShape,
                         testing::Values(sized("large", 4096, 64), sized("one_slot", 1, 1),
                                         sized("batch_above_table", 10, 64),
                                         sized("batch_of_one", 100, 1), with_everything_else()),
                         [](const auto& shape) { return shape.param.name; });

TEST(Replace, ASlotThatKeptItsOldFileIsFoundBySentinel) {
  MSGRING_NEEDS_SEND_FD();
  Options options;
  options.slot_mode = SlotMode::kExplicit;
  FdSender sender(options, 4, 2);
  uring::Ring target = sender.make_target();
  target.register_sparse_files(4);
  sender.fill_untimed(target, {4, 0}, 4);
  sender.fill_untimed(target, {3, 1}, 4);  // slot 3 is left out
  CheckReport report;
  read_back_table(target, SlotContents(4, 1), sender.round(), options.timeout_s, report);
  EXPECT_EQ(report.failures(Check::kSentinel), 1U) << report.summary();
}

}  // namespace
}  // namespace msgring::workload
