// SPDX-License-Identifier: MIT
// `msgring status`, `resume` and `abort` on a state that a test wrote; nothing here reboots.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "command.hpp"

namespace msgring::testing_cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AnyOf;
using testing::HasSubstr;

constexpr const char* kPlan = R"(
order = "ABA"
driver = "local"
retries = 2
[roles.A]
kernel = "6.12"
[roles.B]
kernel = "7"
[box]
boot = "kexec"
)";

class LocalCli : public testing::Test {
 protected:
  Outcome msgring(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--state", (folder_.path() / "state").native(), "--units",
                                       (folder_.path() / "units").native()});
    return run("msgring", arguments, folder_.path());
  }

  /// A run that has its first point and measures its second boot for the second time.
  void begin() const {
    const fs::path run = folder_.path() / "run";
    fs::create_directories(run / "points");
    fs::create_directories(run / "lost");
    std::ofstream(run / "plan.toml") << kPlan;
    std::ofstream(run / "points" / "01-A.json") << "{}";
    std::ofstream(run / "lost" / "02-B.1.txt") << "no-boot";
    fs::create_directories(folder_.path() / "state");
    std::ofstream(folder_.path() / "state" / "run.json") << json{
        {"schema", "msgring-local-1"},
        {"folder", run.native()},
        {"arguments", {"--resume", "--out", run.native()}},
        {"starts", 1},
        {"armed",
         {{"boot", "02-B"},
          {"release", "7.1.3-amd64"},
          {"method", "kexec"},
          {"before",
           {{"boot_id", "11111111"},
            {"btime_s", 1000},
            {"uptime_s", 5.5},
            {"release", "6.12.9-amd64"},
            {"build_id", "ab"}}},
          {"at_s", 1700000000},
          {"notes", json::array()},
          {"measuring_in", "22222222"}}},
        {"lost", {{"02-B", 1}}},
        {"last_failure", "02-B: no-boot: the power was cut"}}.dump();
  }

  TemporaryFolder folder_;
};

TEST_F(LocalCli, StatusSaysWhatIsMeasuredArmedLostAndInstalled) {
  begin();
  const Outcome outcome = msgring({"status"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::string run = (folder_.path() / "run").native();
  EXPECT_EQ(outcome.out,
            "run       " + run +
                " (ABA)\n"
                "measured  1 of 3: 01-A\n"
                "armed     02-B: 7.1.3-amd64 by kexec, told 2023-11-14T22:13:20Z in boot 11111111 "
                "of 6.12.9-amd64; it came up and measures\n"
                "attempts  02-B lost 1 of 3; resume started 1 of 3 times since a boot was armed\n"
                "failed    02-B: no-boot: the power was cut\n"
                "unit      " +
                (folder_.path() / "units" / "msgring-resume.service").native() +
                " is not installed\n");
  fs::remove_all(run);
  EXPECT_THAT(msgring({"status"}).out, HasSubstr(run + ", which is gone: msgring abort"));
}

TEST_F(LocalCli, StatusSaysTheSameToPrograms) {
  begin();
  const json document = json::parse(msgring({"status", "--format", "json"}).out);
  EXPECT_EQ(document["schema"], "msgring-status-1");
  EXPECT_EQ(document["run"]["boots"][0],
            json::parse(R"({"name": "01-A", "kernel": "6.12", "measured": true, "lost": 0})"));
  EXPECT_EQ(document["run"]["boots"][1]["lost"], 1);
  EXPECT_EQ(document["run"]["armed"]["boot"], "02-B");
  EXPECT_EQ(document["run"]["tries"], 3);
  EXPECT_EQ(document["unit"]["installed"], false);
  EXPECT_TRUE(document["last"].is_null());
}

TEST_F(LocalCli, WithoutARunOnlyStatusSucceeds) {
  EXPECT_THAT(msgring({"status"}).out, HasSubstr("none is under way"));
  for (const char* const command : {"resume", "abort"}) {
    const Outcome outcome = msgring({command});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr("no run is under way")) << command;
    EXPECT_EQ(lines_of(outcome.err), 1U);
  }
}

TEST_F(LocalCli, ADamagedStateIsNamedWithItsCure) {
  begin();
  std::ofstream(folder_.path() / "state" / "run.json") << "{";
  const Outcome outcome = msgring({"resume"});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, HasSubstr("run.json: "));
  EXPECT_THAT(outcome.err, HasSubstr("msgring abort removes it"));
}

TEST_F(LocalCli, AMachineThatCannotRebootItselfSaysWhy) {
  if (fs::is_directory("/run/systemd/system")) {
    GTEST_SKIP() << "systemd runs this machine";
  }
  const Outcome outcome = msgring(
      {"aba", "--driver", "local", "--a", "6.12", "--b", "7", "--bench", "/bin/sh", "--dry-run"});
  EXPECT_EQ(outcome.status, 5);
  EXPECT_THAT(outcome.err, AnyOf(HasSubstr("no systemd runs this machine"), HasSubstr("not root")));
  EXPECT_EQ(lines_of(outcome.err), 1U);
}

}  // namespace
}  // namespace msgring::testing_cli
