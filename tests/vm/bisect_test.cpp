// SPDX-License-Identifier: MIT
// `msgring bisect` over cached releases, killed in the middle, with one kernel that does not boot.
#include <gmock/gmock.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "aba_run.hpp"
#include "msgring/boot/run.hpp"
#include "msgring/host/whole_file.hpp"
#include "vm_support.hpp"

namespace msgring::boot {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::minutes;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// The cached kernels 6.12 and 7 as releases of an own cache, with what stands between them: a
/// copy of 6.12 under another name, and an image that is none.
class BisectReleases : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* version : {"6.12", "7"}) {
      if (const std::string missing = missing_for(version); !missing.empty()) {
        GTEST_SKIP() << missing;
      }
    }
    add("6.12.1", cached_kernel("6.12")->image);
    add("6.13.1", cached_kernel("6.12")->image);
    add("7.0.1", cached_kernel("7")->image);
    add("7.2.1", cached_kernel("7")->image);
    fs::create_directories(cache_ / "6.19.1");
    std::ofstream(cache_ / "6.19.1" / "vmlinuz") << "cut off";
  }

  void add(const std::string& release, const fs::path& image) const {
    fs::create_directories(cache_ / release);
    fs::create_symlink(image, cache_ / release / "vmlinuz");
  }

  std::vector<std::string> command(std::vector<std::string> more) const {
    std::vector<std::string> words = {MSGRING_BUILD_DIR "/msgring",
                                      "bisect",
                                      "--out",
                                      folder_.native(),
                                      "--cache",
                                      cache_.native()};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  /// One seed and few rounds: enough to tell these kernels. A crowded machine takes its time.
  std::vector<std::string> question(const std::string& range) const {
    return {"--releases",   range,
            "--flavour",    "",
            "--seeds",      "1",
            "--unit",       "instructions",
            "--no-explain", "--boot-deadline",
            "500",          "--",
            "--rounds",     "3",
            "--warmup",     "1"};
  }

  host::ProgramResult run(std::vector<std::string> more) const {
    return host::run_program(command(std::move(more)), minutes(10));
  }

  /// The exit status of `msgring bisect-step`.
  int step(const std::string& kernel) const {
    return host::run_program({MSGRING_BUILD_DIR "/msgring", "bisect-step", "--reference",
                              folder_.native(), "--cache", cache_.native(), "--kernel", kernel},
                             minutes(10))
        .end.exit_code;
  }

  host::TemporaryFolder base_{"msgring-bisect"};
  fs::path cache_ = base_.path() / "kernels";
  fs::path folder_ = base_.path() / "b";
};

TEST_F(BisectReleases, NamesTheFirstSlowerOneAlsoAfterAKill) {
  {
    host::ChildProcess child = host::ChildProcess::start(command(question("6.12..7")));
    while (!fs::exists(folder_ / "answers" / "00.json") && !child.wait(milliseconds(50))) {
    }
    ::kill(child.pid(), SIGKILL);
    child.wait(milliseconds(10'000));
  }
  ASSERT_TRUE(fs::exists(folder_ / "answers" / "00.json"));
  const auto written = fs::last_write_time(folder_ / "answers" / "00.json");

  const host::ProgramResult result = run({"--resume", "--no-explain"});
  ASSERT_EQ(result.end.exit_code, 0) << result.output << result.errors;
  EXPECT_EQ(fs::last_write_time(folder_ / "answers" / "00.json"), written);
  EXPECT_THAT(result.output, HasSubstr("First bad: 7.0.1\nLast good: 6.13.1\n"));
  EXPECT_THAT(result.output, HasSubstr("6.19.1/vmlinuz"));
  EXPECT_THAT(result.output, HasSubstr("good: not booted, the image is the good end's"));
  EXPECT_THAT(result.output, HasSubstr("slower: B against A"));
  // The ends, the unbootable middle, its neighbours.
  EXPECT_TRUE(fs::exists(folder_ / "answers" / "03.json"));
  EXPECT_THAT(check_run(folder_ / "steps" / "00-references"), IsEmpty());
  EXPECT_THAT(check_run(folder_ / "final"), IsEmpty());
  EXPECT_THAT(host::read_file(folder_ / "result.txt"), HasSubstr("First bad: 7.0.1"));
  // These stand for upstream's own releases, so the range may be claimed.
  EXPECT_THAT(host::read_file(folder_ / "final" / "mail.txt"),
              HasSubstr("#regzbot introduced: v6.13.1..v7.0.1\n"));

  const host::ProgramResult again = run({"--resume"});
  EXPECT_EQ(again.end.exit_code, 0) << again.errors;
  EXPECT_EQ(again.output, result.output) << "a finished bisect is only told again";
  const host::ProgramResult other = run({"--resume", "--releases", "6.12..7.0"});
  EXPECT_EQ(other.end.exit_code, 2);
  EXPECT_THAT(other.errors, HasSubstr("is the bisect of 6.12..7, not of 6.12..7.0"));
  // What `git bisect run` would be told of these kernels.
  EXPECT_EQ(step("7.2.1"), 1);
  EXPECT_EQ(step("6.13.1"), 0);
  EXPECT_EQ(step("6.19.1"), 125);
  EXPECT_EQ(step("9.9"), 128);
}

TEST_F(BisectReleases, SaysThatThereIsNothingToFind) {
  fs::remove_all(cache_ / "6.13.1");
  add("6.13.1-other", cached_kernel("6.12")->image);
  const host::ProgramResult same = run(question("6.12..6.13"));
  EXPECT_EQ(same.end.exit_code, 2);
  EXPECT_THAT(same.errors, HasSubstr("6.12.1 and 6.13.1-other are one and the same kernel image"));
}

TEST_F(BisectReleases, StopsOnCtrlCAndCanBeResumed) {
  host::ChildProcess child = host::ChildProcess::start(command(question("6.12..7")));
  while (!fs::exists(folder_ / "steps" / "00-references" / "plan.toml") &&
         !child.wait(milliseconds(50))) {
  }
  ::kill(child.pid(), SIGINT);
  const auto end = child.wait(milliseconds(10'000));
  ASSERT_TRUE(end.has_value()) << "does not end on SIGINT";
  EXPECT_EQ(end->exit_code, 130);
  EXPECT_TRUE(fs::exists(folder_ / "bisect.json"));
  EXPECT_FALSE(fs::exists(folder_ / "answers" / "00.json"));
}

}  // namespace
}  // namespace msgring::boot
