// SPDX-License-Identifier: MIT
// `msgring aba` from outside: verdict, evidence, and what a kill, Ctrl-C and a full disk leave.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/mount.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "boot/text_file.hpp"
#include "msgring/boot/process.hpp"
#include "msgring/boot/run.hpp"
#include "vm_support.hpp"

namespace msgring::boot {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::minutes;
using ::testing::HasSubstr;

class Aba : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* version : {"6.12", "7"}) {
      if (!cached_kernel(version)) {
        GTEST_SKIP() << "no kernel " << version << " in the cache: scripts/fetch-kernel "
                     << version;
      }
    }
  }

  std::vector<std::string> command(std::vector<std::string> more) const {
    std::vector<std::string> words = {
        MSGRING_BUILD_DIR "/msgring", "aba", "--unit", "instructions", "--out", run_.native()};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  ProgramResult run(std::vector<std::string> more) const {
    return run_program(command(std::move(more)), minutes(9));
  }
  std::size_t points() const {
    std::error_code absent;
    const fs::directory_iterator list(run_ / "points", absent);
    return static_cast<std::size_t>(std::distance(list, fs::directory_iterator()));
  }
  /// Starts a run and waits until `count` points are there.
  ChildProcess start_until(std::size_t count, std::vector<std::string> more) const {
    ChildProcess child = ChildProcess::start(command(std::move(more)));
    for (int i = 0; i < 6000 && points() < count; ++i) {
      std::this_thread::sleep_for(milliseconds(50));
    }
    return child;
  }
  /// Emulators whose command line names this test's folder.
  std::size_t emulators() const {
    std::size_t found = 0;
    for (const auto& entry : fs::directory_iterator("/proc")) {
      const std::string line = read_file_from(entry.path() / "cmdline", 0);
      found +=
          line.rfind("qemu", 0) == 0 && line.find(run_.native()) != std::string::npos ? 1U : 0U;
    }
    return found;
  }
  void expect_no_emulator() const {
    for (int i = 0; i < 100 && emulators() > 0; ++i) {
      std::this_thread::sleep_for(milliseconds(20));
    }
    EXPECT_EQ(emulators(), 0U);
  }

  TemporaryFolder base_{"msgring-aba"};
  fs::path run_ = base_.path() / "run";
};

TEST_F(Aba, FindsTheSlowerKernelAndLeavesCheckableEvidence) {
  const ProgramResult result = run({"--a", "6.12", "--b", "7", "--seeds", "2"});
  EXPECT_EQ(result.end.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("slower"));
  EXPECT_THAT(result.output, HasSubstr("instructions"));
  EXPECT_THAT(read_file(run_ / "report.txt"), HasSubstr("slower"));
  EXPECT_TRUE(fs::exists(run_ / "mail.txt"));
  EXPECT_EQ(points(), 6U);
  const ProgramResult check =
      run_program({MSGRING_BUILD_DIR "/msgring", "check", run_.native()}, minutes(1));
  EXPECT_EQ(check.end.exit_code, 0) << check.errors;
  std::ofstream(run_ / "points" / "s1-01-A.json", std::ios::app) << " ";
  EXPECT_EQ(
      run_program({MSGRING_BUILD_DIR "/msgring", "check", run_.native()}, minutes(1)).end.exit_code,
      3);
}

TEST_F(Aba, FindsNothingBetweenAKernelAndItself) {
  const ProgramResult result = run({"--a", "6.12", "--b", "6.12", "--seeds", "2"});
  EXPECT_EQ(result.end.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("unchanged"));
}

TEST_F(Aba, GoesOnAfterItsHostProcessWasKilled) {
  {
    ChildProcess child = start_until(1, {"--seeds", "1", "--jobs", "1"});
    ::kill(child.pid(), SIGKILL);
    child.wait(milliseconds(5000));
  }
  expect_no_emulator();
  const std::size_t kept = points();
  EXPECT_GE(kept, 1U);
  const fs::path first = run_ / "points" / "s1-01-A.json";
  const auto written = fs::last_write_time(first);
  const ProgramResult result = run({"--resume"});
  EXPECT_EQ(result.end.exit_code, 0) << result.errors;
  EXPECT_EQ(points(), 3U);
  EXPECT_EQ(fs::last_write_time(first), written) << "what was measured is kept";
  EXPECT_TRUE(check_run(run_).empty());
}

TEST_F(Aba, EndsInOrderOnAnInterrupt) {
  ChildProcess child = start_until(1, {"--seeds", "1", "--jobs", "1"});
  ::kill(child.pid(), SIGINT);
  const auto end = child.wait(milliseconds(10'000));
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(end->exit_code, 130);
  expect_no_emulator();
  EXPECT_EQ(stored_plan(run_).order, "ABA");
}

TEST_F(Aba, SaysThatTheDiskIsFullAndKeepsWhatItHas) {
  fs::create_directories(run_);
  if (::mount("none", run_.c_str(), "tmpfs", 0, "size=16m") != 0) {
    GTEST_SKIP() << "mounting a small tmpfs needs root";
  }
  const ProgramResult result = run({"--seeds", "1"});
  EXPECT_EQ(result.end.exit_code, 5);
  EXPECT_THAT(result.errors, HasSubstr("the disk is full"));
  expect_no_emulator();
  ::mount("none", run_.c_str(), "tmpfs", MS_REMOUNT, "size=256m");
  EXPECT_EQ(run({"--resume"}).end.exit_code, 0);
  ::umount(run_.c_str());
}

TEST_F(Aba, TellsWhatItWouldStartAndTouchesNothing) {
  const ProgramResult result = run({"--dry-run", "--seeds", "1", "--b-append", "slab_nomerge"});
  EXPECT_EQ(result.end.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("-icount shift=0,sleep=off"));
  EXPECT_THAT(result.output, HasSubstr("nolapic_timer slab_nomerge"));
  EXPECT_FALSE(fs::exists(run_));
}

TEST_F(Aba, RefusesBadInputWithOneLineAndNoFolder) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--a", "1.0"},
                                             {"--order", "ABX"},
                                             {"--unit", "hours"},
                                             {"--seeds", "0"},
                                             {"--a", "/etc/passwd"},
                                             {"--resume"}}) {
    const ProgramResult result = run(words);
    EXPECT_EQ(result.end.exit_code, 2) << words[0] << result.errors;
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
    EXPECT_FALSE(fs::exists(run_)) << words[0];
  }
}

}  // namespace
}  // namespace msgring::boot
