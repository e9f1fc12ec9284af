// SPDX-License-Identifier: MIT
// `msgring aba --driver ssh` switches a guest that plays a real machine between two kernels,
// through everything that happens to machines and networks.
#include <gmock/gmock.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "aba_run.hpp"
#include "box_guest.hpp"
#include "msgring/host/whole_file.hpp"

namespace msgring::boot {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;
using ::testing::HasSubstr;

class Box : public Aba {
 protected:
  static void TearDownTestSuite() { guest.reset(); }

  void SetUp() override {
    if (const std::string missing = BoxGuest::missing(); !missing.empty()) {
      GTEST_SKIP() << missing;
    }
    if (!guest) {
      guest = std::make_unique<BoxGuest>();
      guest->power_on();
    }
    guest->wait_until_up();
  }

  std::vector<std::string> options(std::vector<std::string> more) const {
    std::vector<std::string> words = {
        "--unit",          "ns",  "--driver",     "ssh",
        "--host",          "box", "--ssh-config", guest->config().native(),
        "--boot-deadline", "900"};
    words.insert(words.end(), more.begin(), more.end());
    // Long enough for a minute without a network to begin and end in it.
    words.insert(words.end(), {"--", "--slots", "64", "--rounds", "3", "--settle", "20"});
    return words;
  }

  /// Waits until the log of a boot's try says `words`.
  void wait_for(const std::string& boot, std::string_view words, host::ChildProcess& run) const {
    const fs::path log = run_ / "consoles" / (boot + ".log");
    while (host::read_file_from(log, 0).find(words) == std::string::npos) {
      ASSERT_FALSE(run.wait(std::chrono::milliseconds(100))) << errors();
    }
  }

  std::string log(const std::string& boot) const {
    return host::read_file(run_ / "consoles" / (boot + ".log"));
  }
  nlohmann::json context(const std::string& boot) const {
    return nlohmann::json::parse(host::read_file(run_ / "points" / (boot + ".json")))["context"];
  }

  static std::unique_ptr<BoxGuest> guest;
};

std::unique_ptr<BoxGuest> Box::guest;

TEST_F(Box, ASandwichSurvivesACutNetworkAPulledPlugAndAKilledHost) {
  {
    host::ChildProcess child = start(options({"--a", "6.12", "--b", "7", "--boot", "kexec"}));
    wait_for("01-A.1", "the benchmark runs", child);
    guest->set_link(Link::kDown);
    std::this_thread::sleep_for(seconds(60));
    guest->set_link(Link::kUp);
    wait_for("02-B.1", "the benchmark runs", child);
    guest->power_off();
    guest->power_on();
    wait_for("03-A.1", "told to boot", child);
    ::kill(child.pid(), SIGKILL);
  }
  EXPECT_EQ(points(), 2U);
  EXPECT_THAT(log("01-A.1"), HasSubstr("no answer while it measures"));
  EXPECT_THAT(host::read_file(run_ / "lost" / "02-B.1.txt"), HasSubstr("restarted: "));
  EXPECT_THAT(log("02-B.2"), HasSubstr("before: " + guest->releases()[0]));
  host::ChildProcess resumed = start({"--resume"});
  const auto end = resumed.wait(std::chrono::minutes(20));
  ASSERT_TRUE(end.has_value()) << errors();
  // Time in an emulator is no evidence: the verdict is whatever it is, but there is one.
  EXPECT_THAT(end->exit_code, ::testing::AnyOf(0, 3, 4)) << errors();
  expect_kexec_sandwich(*guest, run_, "ssh");
}

TEST_F(Box, AWrongKernelStopsTheRunAndNothingOfItIsKept) {
  const fs::path command = base_.path() / "reboot";
  std::ofstream(command) << "#!/bin/sh\nexec ssh -F " << guest->config().native()
                         << " -o BatchMode=yes \"$1\" 'setsid sh -c \"sleep 1; reboot -f\" "
                            "</dev/null >/dev/null 2>&1 &'\n";
  fs::permissions(command, fs::perms::owner_all);
  host::ChildProcess child = start(options(
      {"--a", "7", "--b", "6.12", "--boot", "command", "--boot-command", command.native()}));
  const auto end = child.wait(std::chrono::minutes(20));
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(end->exit_code, 5);
  const auto& releases = guest->releases();
  EXPECT_THAT(errors(), HasSubstr("asked for " + releases[1] + ", " + releases[0] +
                                  " came up; the box holds kexec_loaded=0"));
  EXPECT_EQ(points(), 0U);
}

TEST_F(Box, ATunedMachineIsMeasuredQuietAndIsAsBeforeAfterwards) {
  const auto in_guest = [](const std::vector<std::string>& command) {
    return guest->ssh(command).output;
  };
  ASSERT_EQ(in_guest({"cat", "/proc/sys/kernel/randomize_va_space"}), "2\n");
  std::vector<std::string> words =
      options({"--a", "6.12", "--b", "7", "--order", "AB", "--boot", "kexec", "--tune"});
  words.insert(words.end(), {"--cpu", "1"});
  host::ChildProcess child = start(words);
  const auto end = child.wait(std::chrono::minutes(20));
  ASSERT_TRUE(end.has_value()) << errors();
  EXPECT_THAT(end->exit_code, ::testing::AnyOf(0, 3, 4)) << errors();
  for (const char* const boot : {"01-A", "02-B"}) {
    EXPECT_EQ(context(boot)["boot.tuned"], "yes");
    EXPECT_EQ(context(boot)["kernel.aslr"], "0");
    std::string told;  // of all tries: a starved machine may lose one
    for (const char* const attempt : {".1.log", ".2.log", ".3.log"}) {
      told += host::read_file_from(run_ / "consoles" / (std::string(boot) + attempt), 0);
    }
    EXPECT_THAT(told, HasSubstr("tune-host: /proc/sys/kernel/randomize_va_space: 2 -> 0"));
    EXPECT_THAT(told, HasSubstr("tune-host: /proc/sys/kernel/randomize_va_space: 0 -> 2"));
    EXPECT_THAT(told, HasSubstr("tune-host: restored"));
  }
  EXPECT_EQ(in_guest({"cat", "/proc/sys/kernel/randomize_va_space"}), "2\n");
  EXPECT_TRUE(guest->ssh({"test", "!", "-e", "/var/lib/msgring/tune-host.state"}).end.ok());
}

}  // namespace
}  // namespace msgring::boot
