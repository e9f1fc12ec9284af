// SPDX-License-Identifier: MIT
// Real faults, made by the real kernel, are found by the checks.
#include "workload/fd_sender.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <string>

#include "kernel.hpp"
#include "workload/read_back.hpp"

namespace msgring::workload {
namespace {

/// One fill of `installs` installs, checked; adds its slots to `filled`.
CheckReport send_and_check(FdSender& sender, uring::Ring& target, std::uint32_t installs,
                           SlotSet& filled) {
  CheckReport report;
  sender.restart();
  const Fill fill = sender.aim(target, {installs});
  sender.send(nullptr);
  sender.check(report);
  sender.check_fill(fill, filled, report);
  return report;
}

TEST(FdSender, AFullTableFailsTheInstallsThatFoundNoSlot) {
  MSGRING_NEEDS_SEND_FD();
  Options options;
  options.timeout_s = 1;
  FdSender sender(options, 9);
  uring::Ring target = sender.make_target();
  target.register_sparse_files(8);
  SlotSet filled(8, false);
  CheckReport report = send_and_check(sender, target, 9, filled);
  EXPECT_EQ(report.failures(Check::kSourceResult), 1U);
  EXPECT_THAT(report.summary(), testing::HasSubstr("ENFILE (no free slot in the target's table)"));
}

TEST(FdSender, ATargetWithoutATableFailsEveryInstall) {
  MSGRING_NEEDS_SEND_FD();
  Options options;
  options.timeout_s = 1;
  FdSender sender(options, 3);
  uring::Ring target = sender.make_target();
  SlotSet filled(3, false);
  CheckReport report = send_and_check(sender, target, 3, filled);
  EXPECT_EQ(report.failures(Check::kSourceResult), 3U);
  EXPECT_THAT(report.summary(),
              testing::AnyOf(testing::HasSubstr("ENXIO"), testing::HasSubstr("ENFILE")));
}

TEST(FdSender, AnOverflowingTargetIsNoSuccess) {
  MSGRING_NEEDS_SEND_FD();
  Options options;
  options.batch = 8;
  FdSender sender(options, 8);
  uring::Ring target({2, 4, 0}, "small target");  // a CQ of 4 for a batch of 8
  target.register_sparse_files(8);
  SlotSet filled(8, false);
  CheckReport report = send_and_check(sender, target, 8, filled);
  check_ring(state_of(target), report);
  // The kernel holds the surplus back and delivers it to the next call: seen only while it lasts.
  EXPECT_GT(report.failures(Check::kCqOverflow), 0U) << report.summary();
}

TEST(FdSender, AnotherFileInASlotIsFoundBySentinel) {
  MSGRING_NEEDS_SEND_FD();
  const Options options;
  FdSender sender(options, 4);
  uring::Ring target = sender.make_target();
  target.register_sparse_files(4);
  SlotSet filled(4, false);
  CheckReport report = send_and_check(sender, target, 4, filled);
  ASSERT_TRUE(report.passed()) << report.summary();
  // Slot 2 now holds /dev/zero, whose bytes are not the sentinel's.
  const host::FileDescriptor zero(::open("/dev/zero", O_RDONLY | O_CLOEXEC));
  const std::array<int, 1> fds{zero.get()};
  ASSERT_EQ(io_uring_register_files_update(target.raw(), 2, fds.data(), 1), 1);
  read_back_table(target, contents_of(filled), sender.round(), options.timeout_s, report);
  EXPECT_EQ(report.failures(Check::kSentinel), 1U);
  EXPECT_THAT(report.summary(), testing::HasSubstr("slot 2"));
}

TEST(FdSender, AnEmptiedSlotIsFoundByReadBack) {
  MSGRING_NEEDS_SEND_FD();
  const Options options;
  FdSender sender(options, 4);
  uring::Ring target = sender.make_target();
  target.register_sparse_files(4);
  SlotSet filled(4, false);
  CheckReport report = send_and_check(sender, target, 4, filled);
  const std::array<int, 1> none{-1};
  ASSERT_EQ(io_uring_register_files_update(target.raw(), 3, none.data(), 1), 1);
  read_back_table(target, contents_of(filled), sender.round(), options.timeout_s, report);
  EXPECT_EQ(report.failures(Check::kSlotUnreadable), 1U);
  EXPECT_THAT(report.summary(), testing::HasSubstr("slot 3: a read gave EBADF"));
}

TEST(FdSender, ACompletionLeftInTheTargetIsFound) {
  MSGRING_NEEDS_SEND_FD();
  const Options options;
  FdSender sender(options, 4);
  uring::Ring target = sender.make_target();
  target.register_sparse_files(4);
  io_uring_sqe* const stray = io_uring_get_sqe(target.raw());
  io_uring_prep_nop(stray);
  stray->user_data = 4711;
  SlotSet filled(4, false);
  CheckReport report = send_and_check(sender, target, 4, filled);
  io_uring_submit(target.raw());
  check_ring(state_of(target), report);
  EXPECT_EQ(report.failures(Check::kOutstanding), 1U);
}

}  // namespace
}  // namespace msgring::workload
