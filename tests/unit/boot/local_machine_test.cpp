// SPDX-License-Identifier: MIT
// One boot of this machine in two processes: what the first writes down, what the second makes of
// the boot that it finds itself in.
#include "boot/local_machine.hpp"

#include <gmock/gmock.h>

#include <ctime>

#include "msgring/boot/local.hpp"
#include "msgring/host/temporary_folder.hpp"
#include "msgring/host/whole_file.hpp"
#include "pretended_box.hpp"

namespace msgring::boot {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class LocalMachineTest : public ::testing::Test {
 protected:
  void SetUp() override {
    plan_.request.name = "02-B";
    record_.unit_text = "unit";
    record_.fresh.folder = "/run/folder";
    record_.fresh.arguments = {"--resume"};
    script_.witnesses = {says(witness_text('1', "6.12.1", "ro"))};
    script_.fetches = {sent(point_text('2', "7.1.3"))};
    script_.waits = {says("boot_id " + id_of('2') + "\nstatus 0\n")};
  }

  BootResult measure() {
    LocalMachine machine(plan_, record_, std::make_unique<PretendedBox>(script_), {});
    Quiet observer;
    machine.boot(observer);
    machine.run(observer);
    return machine.fetch(observer);
  }

  /// The first process, up to the reboot.
  void arm() { EXPECT_THROW(measure(), Rebooting); }

  /// The second one, in a boot that says this of itself.
  void come_up(char id, std::string_view release, std::string_view command_line) {
    script_.witnesses = {says(witness_text(id, release, command_line))};
  }

  std::string loss(Outcome outcome) {
    try {
      measure();
    } catch (const BootFailure& failure) {
      EXPECT_EQ(outcome_text(failure.outcome()), outcome_text(outcome));
      EXPECT_FALSE(state().armed.has_value());
      EXPECT_EQ(state().last_failure, std::string("02-B: ") + failure.what());
      return failure.what();
    }
    return "no loss";
  }

  LocalState state() const { return record_.store.demand(); }

  host::TemporaryFolder folder_{"msgring-local-test"};
  BoxScript script_;
  BoxBootPlan plan_ = pretended_boot("local", folder_.path() / "console.log");
  LocalRecord record_{
      LocalStore(folder_.path() / "state"), ResumeUnitFile(folder_.path() / "units"), {}, {}};
};

TEST_F(LocalMachineTest, WritesEverythingDownBeforeItReboots) {
  bool was_written = false;
  script_.on_load = [&] {
    was_written = state().armed.has_value() && record_.unit.is_installed() && script_.reboots == 0;
  };
  arm();
  EXPECT_TRUE(was_written);
  EXPECT_EQ(script_.reboots, 1U);
  EXPECT_TRUE(script_.starts.empty());
  EXPECT_EQ(state().folder, "/run/folder");
  EXPECT_EQ(state().armed->boot, "02-B");
  EXPECT_EQ(state().armed->release, "7.1.3");
  EXPECT_EQ(state().armed->method, "kexec");
  EXPECT_EQ(state().armed->before.boot_id, id_of('1'));
  EXPECT_EQ(state().armed->before.btime_s, 1100);
  // The try's console log belongs to the process that measures.
  EXPECT_FALSE(fs::exists(plan_.request.console_log));
}

TEST_F(LocalMachineTest, MeasuresInTheBootThatItArmed) {
  arm();
  come_up('2', "7.1.3", kCommandLine);
  const BootResult result = measure();
  EXPECT_EQ(result.point_text, point_text('2', "7.1.3"));
  EXPECT_EQ(result.facts.at("boot.driver"), "local");
  EXPECT_THAT(result.facts.at("boot.proof"),
              HasSubstr("boot_id " + id_of('1') + " -> " + id_of('2')));
  EXPECT_EQ(script_.reboots, 1U);
  EXPECT_EQ(state().armed->measuring_in, id_of('2'));
  const std::string console = host::read_file(plan_.request.console_log);
  EXPECT_THAT(console, HasSubstr("before: 6.12.1"));
  EXPECT_THAT(console, HasSubstr("told to boot 7.1.3 by kexec"));
}

TEST_F(LocalMachineTest, ABootArmedForAnotherBootOfThePlanIsNotThisOne) {
  arm();
  plan_.request.name = "03-A";
  come_up('2', "7.1.3", kCommandLine);
  arm();
  EXPECT_EQ(state().armed->boot, "03-A");
  EXPECT_EQ(state().armed->before.boot_id, id_of('2'));
}

TEST_F(LocalMachineTest, AWrongKernelEndsTheRun) {
  arm();
  come_up('2', "6.12.1", kCommandLine);
  EXPECT_THROW(measure(), RunOver);
  EXPECT_TRUE(script_.starts.empty());
}

TEST_F(LocalMachineTest, TheFirmwaresKernelAfterAPowerCutIsALostBoot) {
  arm();
  come_up('2', "6.12.1", "ro");
  EXPECT_THAT(loss(Outcome::kNoBoot), HasSubstr("the firmware has booted the box"));
  EXPECT_EQ(state().lost.at("02-B"), 1U);
  // The same process tries again: it arms.
  arm();
  EXPECT_EQ(state().armed->before.boot_id, id_of('2'));
  EXPECT_EQ(state().lost.at("02-B"), 1U);
}

TEST_F(LocalMachineTest, AMachineThatDidNotRebootIsALostBoot) {
  arm();
  EXPECT_THAT(loss(Outcome::kNoBoot), HasSubstr("still in its old boot"));
}

TEST_F(LocalMachineTest, ABootInWhichMsgringWasKilledIsMeasuredAgainInAFreshOne) {
  arm();
  come_up('2', "7.1.3", kCommandLine);
  measure();
  EXPECT_THAT(loss(Outcome::kDriverFailed), HasSubstr("msgring was ended while it measured"));
  EXPECT_EQ(script_.starts.size(), 1U);
}

TEST_F(LocalMachineTest, APowerCutWhileItMeasuresIsRestarted) {
  arm();
  come_up('2', "7.1.3", kCommandLine);
  measure();
  come_up('3', "6.12.1", "ro");
  EXPECT_THAT(loss(Outcome::kRestarted),
              HasSubstr("boot_id " + id_of('2') + " -> " + id_of('3') + ", now 6.12.1"));
}

TEST_F(LocalMachineTest, ARefusedKexecIsALossAndNotAReboot) {
  script_.loads = {{Reach::kAnswered, 1, "", "Operation not permitted\n"}};
  EXPECT_THAT(loss(Outcome::kDriverFailed), HasSubstr("Operation not permitted"));
  EXPECT_EQ(script_.reboots, 0U);
}

TEST_F(LocalMachineTest, AClockThatARebootSetsBackIsForgivenWhenTheUptimeBeganAnew) {
  arm();
  LocalState later = state();
  later.armed->at_s = std::time(nullptr) + 3600;
  later.armed->before.uptime_s = 500;
  record_.store.save(later);
  come_up('2', "7.1.3", kCommandLine);
  EXPECT_EQ(measure().facts.at("boot.driver"), "local");
}

TEST_F(LocalMachineTest, AnotherBootIdAloneIsNoProof) {
  arm();
  std::string text = witness_text('2', "7.1.3", kCommandLine);
  text.replace(text.find("btime 1200"), 10, "btime 1100");
  script_.witnesses = {says(text)};
  EXPECT_THROW(measure(), RunOver);
}

}  // namespace
}  // namespace msgring::boot
