// SPDX-License-Identifier: MIT
// buffer_update on the real kernel, and buffers in the wrong slots.
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "kernel.hpp"
#include "workload/buffer_read_back.hpp"
#include "workload/register_call.hpp"

namespace msgring::workload {
namespace {

using testing_kernel::Shape;

Shape sized(const char* name, std::uint32_t slots, std::uint32_t operations) {
  Options options;
  options.slots = slots;
  options.operations = operations;
  return {name, options, {operations}, 0};
}

class BufferUpdateShape : public testing::TestWithParam<Shape> {};

TEST_P(BufferUpdateShape, PassesAllChecksRoundAfterRound) {
  testing_kernel::expect_good_rounds("buffer_update", GetParam());
}

INSTANTIATE_TEST_SUITE_P(Sizes, BufferUpdateShape,
                         testing::Values(sized("as_in_2023", 128, 4096), sized("one_slot", 1, 50),
                                         sized("one_update", 128, 1),
                                         sized("more_than_one_chunk", 300, 1000)),
                         [](const auto& shape) { return shape.param.name; });

/// A ring whose 8 slots hold page 0.
class BufferTable : public testing::Test {
 protected:
  void SetUp() override {
    MSGRING_NEEDS_SEND_FD();
    ring_.emplace(uring::RingSetup{32, 0, 0}, "ring");
    const std::vector<iovec> buffers(8, pages_.buffer(0));
    ASSERT_EQ(register_call(*ring_, IORING_REGISTER_BUFFERS, buffers.data(), 8), 0);
  }

  CheckReport read_back(const SlotContents& contents) {
    CheckReport report;
    read_back_buffers(*ring_, contents, pages_, 1, 5, report);
    return report;
  }

  SentinelPages pages_{4};
  std::optional<uring::Ring> ring_;
};

TEST_F(BufferTable, ReadsBackWhatWasPutThere) {
  EXPECT_EQ(update_buffer(*ring_, 5, pages_.buffer(2)), 1);
  const CheckReport report = read_back({0, 0, 0, 0, 0, 2, 0, 0});
  EXPECT_TRUE(report.passed()) << report.summary();
}

TEST_F(BufferTable, AnUpdateOfTheWrongSlotIsFoundInBoth) {
  EXPECT_EQ(update_buffer(*ring_, 6, pages_.buffer(2)), 1);
  // The kernel refuses addresses outside the slot's buffer, so that the wrong page is not even
  // read.
  EXPECT_EQ(read_back({0, 0, 0, 0, 0, 2, 0, 0}).failures(Check::kSlotUnreadable), 2U);
}

TEST_F(BufferTable, AnotherContentInTheRightBufferIsFound) {
  static_cast<std::uint8_t*>(pages_.buffer(0).iov_base)[3] ^= 1U;
  EXPECT_EQ(read_back(SlotContents(8, 0)).failures(Check::kSentinel), 1U);
}

}  // namespace
}  // namespace msgring::workload
