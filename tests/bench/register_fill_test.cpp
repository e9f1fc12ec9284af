// SPDX-License-Identifier: MIT
// register_fill on the real kernel: the sizes of the discussion, its edges, a table of another
// size.
#include <gtest/gtest.h>

#include "kernel.hpp"
#include "workload/register_call.hpp"
#include "workload/table_checks.hpp"

namespace msgring::workload {
namespace {

using testing_kernel::calls_for;
using testing_kernel::explicit_skipped_deferred;
using testing_kernel::Shape;

Shape sized(const char* name, std::uint32_t slots, std::uint32_t fill, std::uint32_t batch = 64) {
  Options options;
  options.slots = slots;
  options.fill = fill;
  options.batch = batch;
  return {name, options, {1, fill}, calls_for(fill, batch)};
}

class RegisterFillShape : public testing::TestWithParam<Shape> {};

TEST_P(RegisterFillShape, PassesAllChecksRoundAfterRound) {
  testing_kernel::expect_good_rounds("register_fill", GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, RegisterFillShape,
    testing::Values(sized("all", 1024, 1024), sized("few", 1024, 64), sized("none", 1024, 0),
                    sized("one_of_one", 1, 1, 1), sized("batch_above_fill", 100, 10),
                    explicit_skipped_deferred(sized("explicit_skipped_deferred", 300, 200))),
    [](const auto& shape) { return shape.param.name; });

TEST(RegisterFill, WithoutFillTheWholeTableIsFilled) {
  Options options;
  options.slots = 100;
  testing_kernel::expect_good_rounds("register_fill", {"whole", options, {1, 100}, 2});
}

TEST(RegisterFill, TheKernelTellsATableOfAnotherSize) {
  MSGRING_NEEDS_SEND_FD();
  uring::Ring ring({8, 0, 0}, "ring");
  ASSERT_EQ(register_sparse_table(ring, 4), 0);
  const std::int32_t skip = IORING_REGISTER_FILES_SKIP;
  const auto judge = [&](std::uint32_t slots) {
    CheckReport report;
    check_table_size(slots, update_files(ring, slots - 1, &skip, 1),
                     update_files(ring, slots, &skip, 1), report);
    return report.failures(Check::kRegister);
  };
  EXPECT_EQ(judge(4), 0U);
  EXPECT_EQ(judge(5), 1U);
  EXPECT_EQ(judge(3), 1U);
}

}  // namespace
}  // namespace msgring::workload
