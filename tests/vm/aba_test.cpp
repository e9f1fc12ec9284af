// SPDX-License-Identifier: MIT
// `msgring aba` from outside: verdict, evidence, and what a kill, Ctrl-C and a full disk leave.
#include <gmock/gmock.h>
#include <sys/mount.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "aba_run.hpp"
#include "msgring/boot/run.hpp"
#include "msgring/host/whole_file.hpp"

namespace msgring::boot {
namespace {

namespace fs = std::filesystem;
using std::chrono::minutes;
using ::testing::HasSubstr;

TEST_F(Aba, FindsTheSlowerKernelAndLeavesCheckableEvidence) {
  const host::ProgramResult result = run({"--a", "6.12", "--b", "7", "--seeds", "1"});
  EXPECT_EQ(result.end.exit_code, 0) << result.output << result.errors;
  EXPECT_THAT(result.output, HasSubstr("slower: B against A"));
  EXPECT_THAT(result.output, HasSubstr(" % in instructions"));
  EXPECT_THAT(host::read_file(run_ / "report.txt"), HasSubstr("slower"));
  EXPECT_TRUE(fs::exists(run_ / "mail.txt"));
  EXPECT_EQ(points(), 3U);
  EXPECT_EQ(check().end.exit_code, 0) << check().errors;
  std::ofstream(run_ / "points" / "s1-01-A.json", std::ios::app) << " ";
  EXPECT_EQ(check().end.exit_code, 3);
}

TEST_F(Aba, FindsNothingBetweenAKernelAndItself) {
  const host::ProgramResult result = run({"--a", "6.12", "--b", "6.12", "--seeds", "2"});
  EXPECT_EQ(result.end.exit_code, 0) << result.output << result.errors;
  const auto report = nlohmann::json::parse(host::read_file(run_ / "report.json"));
  EXPECT_EQ(report["verdict"], "unchanged");
  for (const double bound : report["comparisons"][0]["finding"]["interval_percent"]) {
    EXPECT_LT(std::abs(bound), 0.3);
  }
}

TEST_F(Aba, GoesOnAfterAKillAndAfterAnInterrupt) {
  start_until(1, {"--seeds", "1", "--jobs", "1"}, SIGKILL);
  expect_no_emulator();
  const fs::path first = run_ / "points" / "s1-01-A.json";
  const auto written = fs::last_write_time(first);

  const auto end = start_until(2, {"--resume"}, SIGINT);
  ASSERT_TRUE(end.has_value()) << "does not end on SIGINT";
  EXPECT_EQ(end->exit_code, 130);
  expect_no_emulator();

  const host::ProgramResult result = run({"--resume"});
  EXPECT_EQ(result.end.exit_code, 0) << result.output << result.errors;
  EXPECT_EQ(points(), 3U);
  EXPECT_EQ(fs::last_write_time(first), written) << "what was measured is kept";
  EXPECT_THAT(check_run(run_), ::testing::IsEmpty());
}

/// A file system of its own, small enough to be filled.
class SmallDisk {
 public:
  explicit SmallDisk(fs::path place) : place_(std::move(place)) {
    fs::create_directories(place_);
    mounted_ = ::mount("none", place_.c_str(), "tmpfs", 0, "size=100m") == 0;
  }
  ~SmallDisk() {
    if (mounted_) {
      ::umount2(place_.c_str(), MNT_DETACH);
    }
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  bool mounted() const { return mounted_; }

 private:
  fs::path place_;
  bool mounted_;
};

TEST_F(Aba, SaysThatTheDiskIsFullAndKeepsWhatItHas) {
  const SmallDisk disk(base_.path());
  if (!disk.mounted()) {
    GTEST_SKIP() << "mounting a small tmpfs needs root (CAP_SYS_ADMIN)";
  }
  const fs::path filler = base_.path() / "filler";
  const std::string half(std::size_t{60} << 20, 'x');
  host::ChildProcess child = start({"--seeds", "1", "--jobs", "1"});
  wait_for_points(1, child);
  std::ofstream(filler) << half;
  const auto end = child.wait(minutes(4));
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(end->exit_code, 5);
  EXPECT_THAT(errors(), HasSubstr("the disk is full"));
  expect_no_emulator();
  const std::size_t kept = points();
  EXPECT_GE(kept, 1U);
  EXPECT_LT(kept, 3U);
  fs::remove(filler);
  EXPECT_EQ(run({"--resume"}).end.exit_code, 0);
  EXPECT_EQ(points(), 3U);
}

TEST_F(Aba, KeepsThePointsBesideABootThatStaysLost) {
  const host::ProgramResult result =
      run({"--seeds", "1", "--retries", "1", "--b-append", "sysctl.kernel.io_uring_disabled=2"});
  EXPECT_EQ(result.end.exit_code, 5);
  EXPECT_THAT(result.errors, HasSubstr("trying again"));
  EXPECT_THAT(result.errors, HasSubstr("no sandwich is complete"));
  EXPECT_EQ(points(), 2U);
  EXPECT_THAT(host::read_file(run_ / "lost" / "s1-02-B.2.txt"),
              ::testing::AllOf(HasSubstr("bench-failed"), HasSubstr("io_uring_disabled=2")));
}

TEST_F(Aba, TellsWhatItWouldStartAndTouchesNothing) {
  const host::ProgramResult result =
      run({"--dry-run", "--seeds", "1", "--b-append", "slab_nomerge"});
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
    const host::ProgramResult result = run(words);
    EXPECT_EQ(result.end.exit_code, 2) << words[0] << result.errors;
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
    EXPECT_FALSE(fs::exists(run_)) << words[0];
  }
}

}  // namespace
}  // namespace msgring::boot
