// SPDX-License-Identifier: MIT
// One boot of a pretended box: every way in which it may not come to a point has its own words.
#include "boot/box_machine.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "msgring/host/sha256.hpp"
#include "msgring/host/temporary_folder.hpp"
#include "msgring/host/whole_file.hpp"
#include "pretended_box.hpp"

namespace msgring::boot {
namespace {

using ::testing::HasSubstr;

class BoxMachineTest : public ::testing::Test {
 protected:
  void SetUp() override {
    script_.witnesses = {says(witness_text('1', "6.12.1", "ro")), away(),
                         says(witness_text('2', "7.1.3", kCommandLine))};
    script_.waits = {says(fmt::format("boot_id {}\nstatus 0\n", id_of('2')))};
    script_.fetches = {sent(point_)};
  }

  BootResult measure() {
    BoxMachine machine(plan_, std::make_unique<PretendedBox>(script_), stop_.get_token());
    Quiet observer;
    machine.boot(observer);
    machine.run(observer);
    return machine.fetch(observer);
  }

  std::string console() const { return host::read_file(plan_.request.console_log); }

  std::string loss(Outcome outcome) {
    try {
      measure();
    } catch (const BootFailure& failure) {
      EXPECT_EQ(outcome_text(failure.outcome()), outcome_text(outcome));
      return failure.what();
    }
    return "no loss";
  }

  host::TemporaryFolder folder_{"msgring-box-test"};
  std::string point_ = point_text('2', "7.1.3");
  BoxScript script_;
  BoxBootPlan plan_ = pretended_boot("ssh", folder_.path() / "console.log");
  std::stop_source stop_;
};

TEST_F(BoxMachineTest, ComesBackWithAPointAndTheProofOfItsBoot) {
  const BootResult result = measure();
  EXPECT_EQ(result.point_text, point_);
  EXPECT_EQ(result.facts.at("boot.method"), "kexec");
  EXPECT_THAT(result.facts.at("boot.proof"),
              HasSubstr(fmt::format("boot_id {} -> {}", id_of('1'), id_of('2'))));
  EXPECT_THAT(script_.starts,
              ::testing::ElementsAre(fmt::format("/var/tmp/msgring-x/run-{}", id_of('2'))));
  EXPECT_EQ(script_.removals, 1U);
  EXPECT_THAT(console(), HasSubstr("told to boot 7.1.3 by kexec"));
}

TEST_F(BoxMachineTest, NeverBackIsNoBootWithTheLastWordsOfSsh) {
  script_.witnesses = {says(witness_text('1', "6.12.1", "ro")), away()};
  EXPECT_THAT(loss(Outcome::kNoBoot), HasSubstr("has not come back within 1 s: ssh: Connection"));
}

TEST_F(BoxMachineTest, TheOldBootThatStaysIsNoBootOfItsOwnKind) {
  script_.witnesses = {says(witness_text('1', "6.12.1", "ro"))};
  EXPECT_THAT(loss(Outcome::kNoBoot),
              HasSubstr("still in its old boot 1 s after the request; grub"));
}

TEST_F(BoxMachineTest, AWrongKernelEndsTheRunAndNamesTheLoadersVariables) {
  script_.witnesses.back() = says(witness_text('2', "6.12.1", kCommandLine));
  try {
    measure();
    FAIL() << "went on";
  } catch (const BootFailure&) {
    FAIL() << "would be tried again";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("asked for 7.1.3, 6.12.1 came up; the box holds grub: "
                                        "saved_entry=old; kexec_loaded=1"));
  }
  EXPECT_TRUE(script_.starts.empty());
}

// After a kexec only the firmware can bring up a kernel without the mark: the power was cut, or the
// kernel asked for died on its way.
TEST_F(BoxMachineTest, TheFirmwaresKernelAfterAKexecIsALostBoot) {
  script_.witnesses.back() = says(witness_text('2', "6.12.1", "ro"));
  EXPECT_THAT(loss(Outcome::kNoBoot),
              HasSubstr("the firmware has booted the box, not this kexec: asked for 7.1.3, 6.12.1 "
                        "came up; the box holds grub"));
  EXPECT_TRUE(script_.starts.empty());
}

TEST_F(BoxMachineTest, TheFirmwaresKernelAfterAFirmwareBootEndsTheRun) {
  plan_.box.boot = BootMethod::kCommand;
  plan_.box.boot_command = "/bin/true";
  plan_.wanted.command_line.clear();
  script_.witnesses.back() = says(witness_text('2', "6.12.1", "ro"));
  EXPECT_THROW(measure(), RunOver);
}

TEST_F(BoxMachineTest, ARefusedRebootIsTheDriversFailure) {
  script_.reboot = {Reach::kAnswered, 1, "", "Failed to start transient service unit\n"};
  EXPECT_THAT(loss(Outcome::kDriverFailed), HasSubstr("Failed to start transient"));
}

TEST_F(BoxMachineTest, WitnessesThatDisagreeEndTheRun) {
  std::string text = witness_text('2', "7.1.3", kCommandLine);
  text.replace(text.find("btime 1200"), 10, "btime 1100");
  script_.witnesses.back() = says(text);
  EXPECT_THROW(measure(), Error);
  EXPECT_THAT(console(), HasSubstr("btime 1100 -> 1100"));
}

TEST_F(BoxMachineTest, ARefusedKexecIsTheDriversFailureWithItsWords) {
  script_.loads = {{Reach::kAnswered, 1, "", "kexec_file_load failed: Operation not permitted\n"}};
  EXPECT_THAT(loss(Outcome::kDriverFailed), HasSubstr("Operation not permitted"));
}

TEST_F(BoxMachineTest, ACutConnectionIsWaitedOut) {
  script_.waits = {away(), away(), script_.waits.front()};
  script_.fetches = {away(), says("cut"), sent(point_)};
  EXPECT_EQ(measure().point_text, point_);
  EXPECT_THAT(console(), HasSubstr("no answer while it measures: ssh: Connection refused"));
}

TEST_F(BoxMachineTest, ABoxThatRestartsWhileItMeasuresIsRestarted) {
  script_.waits = {away(), says(fmt::format("boot_id {}\nunfinished\n", id_of('3')))};
  EXPECT_THAT(loss(Outcome::kRestarted), HasSubstr("left the boot while it measured"));
}

TEST_F(BoxMachineTest, ABenchmarkThatFailsIsQuoted) {
  script_.waits = {says(fmt::format("boot_id {}\nstatus 5\n", id_of('2')))};
  EXPECT_THAT(loss(Outcome::kBenchFailed), HasSubstr("exit status 5: last line"));
}

TEST_F(BoxMachineTest, ABenchmarkPastItsLimitIsTimeout) {
  script_.waits = {says(fmt::format("boot_id {}\nstatus 124\n", id_of('2')))};
  EXPECT_THAT(loss(Outcome::kTimeout), HasSubstr("did not end within 720 s"));  // 120 + 600
}

TEST_F(BoxMachineTest, ABenchmarkThatVanishesIsNotWaitedForTillTheDeadline) {
  script_.waits = {says(fmt::format("boot_id {}\nunfinished\n", id_of('2')))};
  EXPECT_THAT(loss(Outcome::kBenchFailed), HasSubstr("ended without a word"));
}

TEST_F(BoxMachineTest, ADamagedPointIsNotKept) {
  script_.fetches = {says(host::sha256_of_bytes("other") + "  -\n" + point_)};
  EXPECT_THAT(loss(Outcome::kResultDamaged), HasSubstr("digest"));
}

TEST_F(BoxMachineTest, APointOfAnotherBootIsNotKept) {
  script_.fetches = {sent(R"({"context": {"kernel.boot_id": "x"}})")};
  EXPECT_THAT(loss(Outcome::kRestarted), HasSubstr("the point says kernel.boot_id x"));
}

TEST_F(BoxMachineTest, StopsWhenItIsTold) {
  script_.witnesses = {says(witness_text('1', "6.12.1", "ro")), away()};
  stop_.request_stop();
  try {
    measure();
    FAIL() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), ExitStatus::kInterrupted);
  }
}

TEST_F(BoxMachineTest, PutsATunedBoxBackAlsoWhenItIsStopped) {
  plan_.box.tune = true;
  script_.stop = stop_.get_token();
  script_.on_wait = [this] { stop_.request_stop(); };
  EXPECT_THROW(measure(), Error);
  EXPECT_THAT(script_.controls, ::testing::ElementsAre("apply", "restore"));
}

}  // namespace
}  // namespace msgring::boot
