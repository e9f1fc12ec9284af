// SPDX-License-Identifier: MIT
// refill on the real kernel: whole tables, parts whose slots move, a removal that removes too
// little.
#include <gtest/gtest.h>

#include <array>

#include "kernel.hpp"
#include "workload/fd_sender.hpp"
#include "workload/read_back.hpp"
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
  return {name, options, {fill, fill}, calls_for(fill, batch)};
}

class RefillShape : public testing::TestWithParam<Shape> {};

TEST_P(RefillShape, PassesAllChecksRoundAfterRound) {
  testing_kernel::expect_good_rounds("refill", GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, RefillShape,
    testing::Values(sized("whole_table", 4096, 4096), sized("a_part", 1024, 64),
                    sized("nothing", 16, 0), sized("one_of_one", 1, 1, 1),
                    sized("batch_above_table", 10, 10),
                    explicit_skipped_deferred(sized("explicit_skipped_deferred", 300, 200))),
    [](const auto& shape) { return shape.param.name; });

TEST(Refill, AWholeTableIsRemovedByOneCall) {
  MSGRING_NEEDS_SEND_FD();
  Options options;
  options.slots = 512;
  const RoundResult result = testing_kernel::one_round("refill", options);
  ASSERT_FALSE(result.counters.empty());
  EXPECT_EQ(result.counters.back().name, "remove_calls");
  EXPECT_EQ(result.counters.back().value, 1.0);
}

/// A ring whose 8 slots hold the first file.
class FilledTable : public testing::Test {
 protected:
  void SetUp() override {
    MSGRING_NEEDS_SEND_FD();
    sender_.emplace(options_, 8, std::uint8_t{2});
    target_.emplace(sender_->make_target());
    target_->register_sparse_files(8);
    spans_ = spans_of(sender_->fill_untimed(*target_, {8, 0}, 8));
  }

  Options options_;
  std::optional<FdSender> sender_;
  std::optional<uring::Ring> target_;
  std::vector<SlotSpan> spans_;
  std::array<std::int32_t, 8> nothing_{-1, -1, -1, -1, -1, -1, -1, -1};
};

TEST_F(FilledTable, ARemovalThatRemovesTooLittleIsFoundTwice) {
  ASSERT_EQ(spans_, (std::vector{SlotSpan{0, 8}}));
  const std::array results{update_files(*target_, 0, nothing_.data(), 7)};
  CheckReport report;
  check_removals(spans_, results, report);
  EXPECT_EQ(report.failures(Check::kRemoval), 1U);
  // And slot 7 still has the first file, where a refill would have to put the second.
  read_back_table(*target_, SlotContents(8, kEmptySlot), 1, options_.timeout_s, report);
  EXPECT_EQ(report.failures(Check::kSlotUnreadable), 1U);
}

TEST_F(FilledTable, ASlotThatKeptItsFirstFileCannotPassForRefilled) {
  CheckReport report;
  read_back_table(*target_, SlotContents(8, 1), 1, options_.timeout_s, report);
  EXPECT_EQ(report.failures(Check::kSentinel), 8U);
}

TEST_F(FilledTable, RemovedSlotsAreGivenOutAgainFromWhereTheHintStands) {
  ASSERT_EQ(update_files(*target_, 2, nothing_.data(), 3), 3);
  EXPECT_EQ(spans_of(sender_->fill_untimed(*target_, {3, 1}, 8)), (std::vector{SlotSpan{2, 3}}));
}

}  // namespace
}  // namespace msgring::workload
