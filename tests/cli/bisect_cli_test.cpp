// SPDX-License-Identifier: MIT
// What `msgring bisect` refuses before anything is booted: one line, the right status, no folder.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "command.hpp"

namespace msgring::testing_cli {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class BisectCli : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* release : {"6.12.1-x", "6.12.9-x", "7.1.2-x"}) {
      fs::create_directories(base_.path() / "kernels" / release);
      std::ofstream(base_.path() / "kernels" / release / "vmlinuz") << release;
    }
    std::ofstream(base_.path() / "bench") << "bench";
  }

  Outcome bisect(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"bisect", "--cache", "kernels", "--bench", "bench",
                                         "--flavour", "x", "--out", "b"});
    return run("msgring", arguments, base_.path());
  }

  void expect_refusal(const std::vector<std::string>& arguments, const std::string& why) const {
    const Outcome outcome = bisect(arguments);
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(why));
    EXPECT_EQ(lines_of(outcome.err), 1U) << outcome.err;
    EXPECT_FALSE(fs::exists(base_.path() / "b"));
  }

  TemporaryFolder base_;
};

TEST_F(BisectCli, RefusesRangesThatHoldNothingToSearch) {
  expect_refusal({}, "between what?");
  expect_refusal({"--releases", "6.12"}, "--releases 6.12: is no range");
  expect_refusal({"--releases", "6.12..8"}, "no x kernel 8 in kernels, which has 6.12.1-x");
  expect_refusal({"--releases", "7.1..6.12"}, "7.1.2-x is not older than 6.12.9-x");
  expect_refusal({"--releases", "7.1..7.1"}, "holds only 7.1.2-x");
  expect_refusal({"--resume"}, "b: no bisect: it has no bisect.json");
}

TEST_F(BisectCli, RefusesAKernelThatCannotBeOneAndAFolderThatIsTaken) {
  const Outcome image = bisect({"--releases", "6.12..7"});
  EXPECT_EQ(image.status, 2) << image.err;
  EXPECT_THAT(image.err, HasSubstr("6.12.1-x/vmlinuz"));
  const Outcome taken = bisect({"--releases", "6.12..7"});
  EXPECT_EQ(taken.status, 2);
  EXPECT_THAT(taken.err, HasSubstr("b: is there already; go on with this bisect: --resume"));
}

TEST_F(BisectCli, TakesAThresholdWithOrWithoutItsSign) {
  for (const char* threshold : {"5", "5%", "2.5%"}) {
    EXPECT_THAT(bisect({"--threshold", threshold}).err, HasSubstr("between what?")) << threshold;
  }
  EXPECT_THAT(bisect({"--threshold", "much"}).err, HasSubstr("--threshold"));
  EXPECT_THAT(bisect({"--threshold", "-1%"}).err, HasSubstr("--threshold"));
}

/// To `git bisect run`, 1 to 127 but 125 would mean that the kernel is bad.
TEST_F(BisectCli, TellsGitBisectToGiveUpWhereTheKernelIsNotToBlame) {
  const auto step = [this](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"bisect-step"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run("msgring", arguments, base_.path());
  };
  const Outcome missing = step({"--reference", "nowhere", "--kernel", "bench"});
  EXPECT_EQ(missing.status, 128);
  EXPECT_THAT(missing.err, HasSubstr("--reference nowhere: holds no run of the ends; make one"));
  EXPECT_EQ(step({"--reference", "nowhere"}).status, 128) << "no kernel given";
  EXPECT_EQ(step({"--referrence", "x", "--kernel", "y"}).status, 128) << "a mistyped option";
  EXPECT_EQ(step({"--help"}).status, 0);
}

}  // namespace
}  // namespace msgring::testing_cli
