// SPDX-License-Identifier: MIT
// Every way in which a boot can fail has its own outcome, within its deadline, and leaves nothing.
#include <gmock/gmock.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <thread>

#include "vm_support.hpp"

namespace msgring::boot {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;

/// Long enough for a loaded machine to boot, short once it runs.
const Deadlines kShort{seconds(120), seconds(4), seconds(4), seconds(10)};

class Faults : public ::testing::Test {
 protected:
  void SetUp() override {
    MSGRING_NEED_KERNEL("6.12");
    kernel_ = cached_kernel("6.12");
    driver_ = std::make_unique<ProbeDriver>(*kernel_, kShort);
  }

  BootFailure failure_of(const BootRequest& request) {
    const ProbeBoot boot = driver_->boot(request);
    EXPECT_TRUE(own_children().empty()) << "an emulator is left";
    if (!boot.failure) {
      ADD_FAILURE() << "the boot did not fail";
      return {Outcome::kMeasured, "", {}};
    }
    return *boot.failure;
  }
  BootFailure failure_told(const std::string& fault) {
    return failure_of(driver_->request({"--fault", fault}));
  }

  std::optional<Kernel> kernel_;
  std::unique_ptr<ProbeDriver> driver_;
};

TEST_F(Faults, AnErrorInTheBenchmarkIsBenchFailed) {
  const BootFailure failure = failure_told("error");
  EXPECT_EQ(failure.outcome(), Outcome::kBenchFailed);
  EXPECT_THAT(failure.what(), HasSubstr("io_uring_setup: EPERM; allow it"));
}

TEST_F(Faults, APanicIsGuestPanicWithTheConsolesWords) {
  const BootFailure failure = failure_told("panic");
  EXPECT_EQ(failure.outcome(), Outcome::kGuestPanic);
  EXPECT_THAT(failure.console_tail(), ::testing::Contains(HasSubstr("Kernel panic")));
}

TEST_F(Faults, ACrashOfTheProgramIsGuestPanic) {
  EXPECT_EQ(failure_told("crash").outcome(), Outcome::kGuestPanic);
}

TEST_F(Faults, APanicThroughTheCommandLineIsGuestPanic) {
  const BootFailure failure = failure_of(driver_->request({}, "rdinit=/nowhere root=/dev/none"));
  EXPECT_EQ(failure.outcome(), Outcome::kGuestPanic);
}

TEST_F(Faults, SilenceIsGuestHang) {
  EXPECT_EQ(failure_told("hang").outcome(), Outcome::kGuestHang);
}

TEST_F(Faults, WorkWithoutEndIsTimeout) {
  EXPECT_EQ(failure_told("busy").outcome(), Outcome::kTimeout);
}

TEST_F(Faults, AKernelWithoutAnyResultPortIsNoBootWithTheReason) {
  const BootFailure failure = failure_of(
      driver_->request({}, "initcall_blacklist=virtio_console_init 8250.nr_uarts=1 pnpacpi=off"));
  EXPECT_EQ(failure.outcome(), Outcome::kNoBoot);
  EXPECT_THAT(failure.what(), HasSubstr("CONFIG_VIRTIO_CONSOLE=y"));
}

TEST_F(Faults, AFileThatIsNoKernelIsRefusedBeforeAnythingStarts) {
  const auto image = driver_->folder() / "letter";
  std::ofstream(image) << "a letter\n";
  EXPECT_THROW(ProbeDriver({"", image, {}}, kShort), Error);
}

TEST_F(Faults, AnImageThatOnlyLooksLikeAKernelIsNoBoot) {
  const auto image = driver_->folder() / "bzImage";
  std::string bytes(1 << 16, '\xF4');
  bytes.replace(0x1F1, 1, "\x01");
  bytes.replace(0x1FE, 2, "\x55\xAA");
  bytes.replace(0x202, 4, "HdrS");
  bytes.replace(0x206, 2, "\x0F\x02");
  std::ofstream(image) << bytes;
  Deadlines deadlines = kShort;
  deadlines.boot = seconds(4);
  ProbeDriver driver({"", image, {}}, deadlines);
  const ProbeBoot boot = driver.boot(driver.request());
  ASSERT_TRUE(boot.failure.has_value());
  EXPECT_THAT(boot.failure->outcome(), ::testing::AnyOf(Outcome::kNoBoot, Outcome::kDriverFailed));
}

/// Boots a guest that hangs, and does something to it once it measures.
ProbeBoot boot_and_disturb(ProbeDriver& driver,
                           const std::function<void(const BootRequest&)>& disturb) {
  const BootRequest request = driver.request({"--fault", "hang"});
  std::jthread later([&](const std::stop_token& stop) {
    std::error_code absent;
    while (!stop.stop_requested()) {
      if (std::filesystem::file_size(request.scratch / "results", absent) > 0 && !absent) {
        disturb(request);
        return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
  return driver.boot(request);
}

void send_to_children(int signal) {
  for (const pid_t child : own_children()) {
    ::kill(child, signal);
  }
}

TEST_F(Faults, ADamagedFrameIsResultDamaged) {
  const ProbeBoot boot = boot_and_disturb(*driver_, [](const BootRequest& request) {
    std::ofstream(request.scratch / "results", std::ios::app) << std::string(64, '!');
  });
  ASSERT_TRUE(boot.failure.has_value());
  EXPECT_EQ(boot.failure->outcome(), Outcome::kResultDamaged);
}

TEST_F(Faults, AKilledEmulatorIsDriverFailed) {
  const ProbeBoot boot = boot_and_disturb(*driver_, [](const auto&) { send_to_children(SIGKILL); });
  ASSERT_TRUE(boot.failure.has_value());
  EXPECT_EQ(boot.failure->outcome(), Outcome::kDriverFailed);
  EXPECT_THAT(boot.failure->what(), HasSubstr("signal 9"));
}

TEST_F(Faults, AStoppedEmulatorIsGuestHangAndStillEnded) {
  const ProbeBoot boot = boot_and_disturb(*driver_, [](const auto&) { send_to_children(SIGSTOP); });
  ASSERT_TRUE(boot.failure.has_value());
  EXPECT_EQ(boot.failure->outcome(), Outcome::kGuestHang);
  EXPECT_TRUE(own_children().empty());
}

TEST_F(Faults, AnEmulatorThatRefusesItsOptionsIsDriverFailedWithItsWords) {
  BootRequest request = driver_->request();
  request.emulator_arguments = {"-device", "no-such-device"};
  const BootFailure failure = failure_of(request);
  EXPECT_EQ(failure.outcome(), Outcome::kDriverFailed);
  EXPECT_THAT(failure.what(), HasSubstr("no-such-device"));
}

TEST_F(Faults, AnInterruptionEndsTheEmulator) {
  std::stop_source source;
  std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    source.request_stop();
  });
  try {
    driver_->boot(driver_->request({"--fault", "hang"}), source.get_token());
    FAIL() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), ExitStatus::kInterrupted);
  }
  EXPECT_TRUE(own_children().empty());
}

}  // namespace
}  // namespace msgring::boot
