// SPDX-License-Identifier: MIT
// `msgring doctor` prints what host found, on fake machines and on this one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "command.hpp"

namespace msgring::testing_cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

std::string machine(const std::string& name) {
  return std::string(MSGRING_TEST_DATA) + "/host/" + name;
}

TEST(Doctor, NamesEachDisturbanceWithReasonAndCure) {
  const TemporaryFolder folder;
  const Outcome outcome =
      run("msgring", {"doctor", "--root", machine("hybrid-laptop"), "--cpu", "4"}, folder.path());
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  // The warnings of this machine: tracing, governor, boost, core type, load.
  EXPECT_THAT(outcome.out, HasSubstr("for a measurement on CPU 4: 0 serious, 5 warnings, 5 notes"));
  EXPECT_THAT(outcome.out,
              HasSubstr("warning  governor: powersave on CPU 4, energy_performance_preference "
                        "balance_performance\n  why    the clock rate follows the load"));
  EXPECT_THAT(
      outcome.out,
      HasSubstr(
          "  cure   echo performance > /sys/devices/system/cpu/cpu4/cpufreq/scaling_governor\n"));
}

TEST(Doctor, SaysTheSameToPrograms) {
  const TemporaryFolder folder;
  const Outcome outcome = run(
      "msgring", {"doctor", "--root", machine("hybrid-laptop"), "--cpu", "4", "--format", "json"},
      folder.path());
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json document = json::parse(outcome.out);
  EXPECT_EQ(document.at("schema"), "msgring-doctor-1");
  EXPECT_EQ(document.at("cpu"), 4);
  ASSERT_EQ(document.at("findings").size(), 10U);
  EXPECT_EQ(document.at("findings").at(0).at("key"), "tracing");
  EXPECT_EQ(document.at("findings").at(0).at("severity"), "warning");
}

TEST(Doctor, FindsAbsenceOfCpufreqInGuestNoMoreThanANote) {
  const TemporaryFolder folder;
  const Outcome outcome =
      run("msgring", {"doctor", "--root", machine("vm-kvm"), "--format", "json"}, folder.path());
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json document = json::parse(outcome.out);
  for (const json& finding : document.at("findings")) {
    EXPECT_EQ(finding.at("severity"), "note") << finding.dump();
  }
}

TEST(Doctor, LooksAtThisMachineAndLeavesNothing) {
  const TemporaryFolder folder;
  const Outcome outcome = run("msgring", {"doctor"}, folder.path());
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("for a measurement on CPU "));
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(folder.names().empty());
}

TEST(Doctor, RefusesCpuAndFolderThatAreNotThere) {
  const TemporaryFolder folder;
  const Outcome cpu = run("msgring", {"doctor", "--cpu", "99999"}, folder.path());
  EXPECT_EQ(cpu.status, 2);
  EXPECT_THAT(cpu.err, HasSubstr("99999"));
  EXPECT_EQ(lines_of(cpu.err), 1U);
  const Outcome root = run("msgring", {"doctor", "--root", "nowhere"}, folder.path());
  EXPECT_EQ(root.status, 2);
  EXPECT_THAT(root.err, HasSubstr("nowhere"));
}

}  // namespace
}  // namespace msgring::testing_cli
