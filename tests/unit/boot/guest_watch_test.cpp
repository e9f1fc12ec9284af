// SPDX-License-Identifier: MIT
// Every outcome of a boot, played with frames, console text and a clock.
#include "boot/guest_watch.hpp"

#include <gmock/gmock.h>

#include <csignal>

#include "boot/console_text.hpp"

namespace msgring::boot {
namespace {

using std::chrono::seconds;
using TimePoint = GuestWatch::TimePoint;

const TimePoint kStart{};

class GuestWatchTest : public ::testing::Test {
 protected:
  void send(FrameKind kind, std::string payload, TimePoint now = kStart) {
    watch_.on_results(encode_frame({kind, "r", std::move(payload)}), now);
  }
  std::string outcome(TimePoint now = kStart) const {
    const auto failure = watch_.failure(now);
    return std::string(failure ? outcome_text(failure->outcome()) : "none");
  }

  GuestWatch watch_{"r", {seconds(10), seconds(10), seconds(10), seconds(10)}, kStart};
};

TEST_F(GuestWatchTest, FollowsAGoodBootToItsPoint) {
  EXPECT_EQ(watch_.phase(), BootPhase::kBoot);
  send(FrameKind::kStatus, "booted");
  EXPECT_EQ(watch_.phase(), BootPhase::kSettle);
  send(FrameKind::kStatus, "settled");
  EXPECT_EQ(watch_.phase(), BootPhase::kMeasure);
  send(FrameKind::kStatus, "measuring");
  send(FrameKind::kKallsyms, "0 t x");
  send(FrameKind::kPoint, "{}");
  EXPECT_FALSE(watch_.has_result());
  send(FrameKind::kEnd, "5");
  EXPECT_TRUE(watch_.has_result());
  EXPECT_EQ(watch_.phase(), BootPhase::kPowerOff);
  watch_.on_console("Kernel panic - not syncing: while powering off\n", kStart);
  watch_.on_end({0, SIGKILL}, "");
  EXPECT_EQ(outcome(kStart + seconds(1000)), "none") << "a whole result stays good";
  EXPECT_EQ(watch_.point_text(), "{}");
  EXPECT_EQ(watch_.take_additions().size(), 1U);
}

TEST_F(GuestWatchTest, NoBootWhenTheEmulatorEndsBeforeUserSpace) {
  watch_.on_end({0, 0}, "");
  EXPECT_EQ(outcome(), "no-boot");
}

TEST_F(GuestWatchTest, NoBootAtTheDeadline) {
  EXPECT_EQ(outcome(kStart + seconds(10)), "none");
  EXPECT_EQ(outcome(kStart + seconds(11)), "no-boot");
}

TEST_F(GuestWatchTest, NoBootSaysThatTheKernelHasNoResultPort) {
  watch_.on_console("msgring-guest: no result port: no virtio port\r\nmore\n", kStart);
  watch_.on_end({0, 0}, "");
  EXPECT_EQ(outcome(), "no-boot");
  EXPECT_THAT(watch_.failure(kStart)->what(), ::testing::EndsWith("no virtio port"));
}

TEST_F(GuestWatchTest, GuestPanicQuotesTheConsole) {
  send(FrameKind::kStatus, "booted");
  watch_.on_console("[ 1.0] Oops: 0002 [#1]\n[ 1.1] Kernel panic - not syncing: Fatal\n", kStart);
  watch_.on_end({0, 0}, "");
  EXPECT_EQ(outcome(), "guest-panic");
  EXPECT_THAT(watch_.failure(kStart)->what(), ::testing::HasSubstr("Oops: 0002 [#1]"));
  EXPECT_THAT(watch_.failure(kStart)->console_tail(), ::testing::SizeIs(2));
}

TEST_F(GuestWatchTest, GuestHangIsSilenceAndTimeoutIsNot) {
  send(FrameKind::kStatus, "booted");
  send(FrameKind::kStatus, "settled");
  EXPECT_EQ(outcome(kStart + seconds(11)), "guest-hang");
  watch_.on_console("still here\n", kStart + seconds(8));
  EXPECT_EQ(outcome(kStart + seconds(11)), "timeout");
}

TEST_F(GuestWatchTest, BenchFailedCarriesTheBenchmarksWords) {
  send(FrameKind::kStatus, "booted");
  send(FrameKind::kError, "io_uring_setup: EPERM");
  EXPECT_EQ(outcome(), "none") << "until the stream is whole";
  send(FrameKind::kEnd, "2");
  EXPECT_EQ(outcome(), "bench-failed");
  EXPECT_THAT(watch_.failure(kStart)->what(), ::testing::HasSubstr("io_uring_setup: EPERM"));
}

TEST_F(GuestWatchTest, ResultDamagedForDamageForACutAndForNoPoint) {
  GuestWatch damaged{"r", {}, kStart};
  damaged.on_results(std::string(64, 'x'), kStart);
  EXPECT_EQ(damaged.failure(kStart)->outcome(), Outcome::kResultDamaged);

  send(FrameKind::kStatus, "booted");
  GuestWatch no_point = watch_;
  no_point.on_results(encode_frame({FrameKind::kEnd, "r", "1"}), kStart);
  EXPECT_EQ(no_point.failure(kStart)->outcome(), Outcome::kResultDamaged);

  watch_.on_end({0, 0}, "");
  EXPECT_EQ(outcome(), "result-damaged");
  EXPECT_THAT(watch_.failure(kStart)->what(), ::testing::HasSubstr("cut after 1 whole frames"));
}

TEST_F(GuestWatchTest, DriverFailedWhenTheEmulatorIsKilledOrRefuses) {
  GuestWatch killed = watch_;
  killed.on_end({0, SIGKILL}, "");
  EXPECT_EQ(killed.failure(kStart)->outcome(), Outcome::kDriverFailed);
  watch_.on_end({1, 0}, "warning\nqemu: -accel x: invalid accelerator x\n");
  EXPECT_EQ(outcome(), "driver-failed");
  EXPECT_THAT(watch_.failure(kStart)->what(), ::testing::HasSubstr("invalid accelerator x"));
}

TEST(ConsoleTail, DropsEscapesAndEmptyLines) {
  EXPECT_THAT(console_tail("\x1B[2J\x1B[01;01Hone\r\n\r\n\x07two\n", 12),
              ::testing::ElementsAre("one", "two"));
  EXPECT_THAT(console_tail("1\n2\n3\n", 2), ::testing::ElementsAre("2", "3"));
}

}  // namespace
}  // namespace msgring::boot
