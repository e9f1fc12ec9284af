// SPDX-License-Identifier: MIT
// file_update by operation and by register call on the real kernel, and updates that went wrong.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "kernel.hpp"
#include "workload/read_back.hpp"
#include "workload/register_call.hpp"
#include "workload/sentinel_file.hpp"
#include "workload/table_checks.hpp"

namespace msgring::workload {
namespace {

using testing_kernel::calls_for;
using testing_kernel::Shape;

Shape by_operation(const char* name, std::uint32_t slots, std::uint32_t operations,
                   std::uint32_t batch) {
  Options options;
  options.slots = slots;
  options.operations = operations;
  options.batch = batch;
  return {name, options, {operations}, calls_for(operations, batch)};
}

class FileUpdateShape : public testing::TestWithParam<Shape> {};

TEST_P(FileUpdateShape, PassesAllChecksRoundAfterRound) {
  testing_kernel::expect_good_rounds("file_update", GetParam());
}

TEST_P(FileUpdateShape, PassesByRegisterCallToo) {
  Shape shape = GetParam();
  shape.calls = 0;  // no io_uring_enter at all
  testing_kernel::expect_good_rounds("file_update_register", shape);
}

INSTANTIATE_TEST_SUITE_P(Sizes, FileUpdateShape,
                         testing::Values(by_operation("as_in_2023", 128, 4096, 32),
                                         by_operation("one_slot", 1, 50, 32),
                                         by_operation("one_update", 128, 1, 1),
                                         by_operation("short_last_batch", 16, 100, 64),
                                         by_operation("batch_above_operations", 16, 10, 512)),
                         [](const auto& shape) { return shape.param.name; });

/// A ring whose 16 slots hold file 0, and a plan of updates for it.
class PlannedTable : public testing::Test {
 protected:
  void SetUp() override {
    MSGRING_NEEDS_SEND_FD();
    for (std::uint8_t number = 0; number < 4; ++number) {
      files_.push_back(make_sentinel_file(number));
    }
    ring_.emplace(uring::RingSetup{32, 0, 0}, "ring");
    ring_->register_files(std::vector<int>(16, files_[0].get()));
  }

  std::int32_t put(const Update& update) {
    const std::int32_t fd = files_[update.content].get();
    return update_files(*ring_, update.slot, &fd, 1);
  }

  CheckReport read_back() {
    CheckReport report;
    read_back_table(*ring_, contents_after(plan_, 16), 1, 5, report);
    return report;
  }

  std::vector<host::FileDescriptor> files_;
  std::optional<uring::Ring> ring_;
  std::array<Update, 3> plan_{Update{3, 1}, Update{9, 2}, Update{3, 3}};
};

TEST_F(PlannedTable, ReadsBackAsPlanned) {
  for (const Update& update : plan_) {
    EXPECT_EQ(put(update), 1);
  }
  EXPECT_TRUE(read_back().passed()) << read_back().summary();
}

TEST_F(PlannedTable, AnUpdateOfTheWrongSlotIsFoundInBoth) {
  put(plan_[0]);
  put({10, plan_[1].content});
  put(plan_[2]);
  EXPECT_EQ(read_back().failures(Check::kSentinel), 2U);
}

TEST_F(PlannedTable, AnUpdateThatNeverCameIsFound) {
  put(plan_[0]);
  put(plan_[1]);
  EXPECT_EQ(read_back().failures(Check::kSentinel), 1U);
}

TEST_F(PlannedTable, AnUpdateThatTheKernelRefusedIsFound) {
  CheckReport report;
  const std::int32_t closed = 1'000'000;
  check_updates(
      std::array{update_files(*ring_, 16, &closed, 1), update_files(*ring_, 1, &closed, 1)},
      report);
  EXPECT_EQ(report.failures(Check::kUpdate), 2U);  // EINVAL past the end, EBADF for no file
}

}  // namespace
}  // namespace msgring::workload
