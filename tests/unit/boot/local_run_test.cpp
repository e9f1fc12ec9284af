// SPDX-License-Identifier: MIT
// A run that outlives its process: its state, and when it ends.
#include "boot/local_run.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <stdexcept>

#include "msgring/boot/run_lock.hpp"
#include "msgring/host/temporary_folder.hpp"
#include "msgring/host/whole_file.hpp"
#include "pretended_box.hpp"

namespace msgring::boot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

LocalState whole_state() {
  LocalState state;
  state.folder = "/root/a run";
  state.arguments = {"--resume", "--out", "/root/a run"};
  state.starts = 2;
  state.armed = ArmedBoot{"02-B",        "7.1.3",    "kexec", {"id", 1000, 12.5, "6.12.1", "ab"},
                          1'700'000'000, {"a note"}, "id2"};
  state.lost = {{"01-A", 1}, {"02-B", 2}};
  state.last_failure = "02-B: no-boot: \"quoted\"";
  return state;
}

std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return describe(error);
  }
  return "accepted";
}

TEST(LocalStateText, KeepsAllThatARebootMustNotTake) {
  const LocalState state = whole_state();
  const LocalState back = parse_local_state(local_state_text(state), "s");
  EXPECT_EQ(local_state_text(back), local_state_text(state));
  EXPECT_EQ(back.armed->before.uptime_s, 12.5);
  EXPECT_EQ(back.armed->measuring_in, "id2");
  LocalState unknown = state;
  unknown.armed->before.btime_s.reset();
  EXPECT_FALSE(parse_local_state(local_state_text(unknown), "s").armed->before.btime_s.has_value());
}

TEST(LocalStateText, RefusesAnyOther) {
  for (const char* text : {"", "{", "{}", R"({"schema": "msgring-local-9"})"}) {
    EXPECT_THAT(refusal([&] { parse_local_state(text, "s.json"); }), HasSubstr("s.json: ")) << text;
  }
}

class LocalRunTest : public ::testing::Test {
 protected:
  void begin(unsigned starts = 0) {
    LocalState state = whole_state();
    state.starts = starts;
    store_.save(state);
    unit_.install("unit");
  }
  bool is_under_way() const { return store_.load().has_value() && unit_.is_installed(); }
  bool is_over() const { return !store_.load().has_value() && !unit_.is_installed(); }

  /// One start of `msgring resume` that ends so.
  template <class Thrown>
  void resume_with(const Thrown& thrown) {
    EXPECT_THROW(
        resume_local_run(store_, unit_, [&](const LocalState&) -> ExitStatus { throw thrown; }),
        Thrown);
  }

  host::TemporaryFolder folder_{"msgring-local-test"};
  LocalStore store_{folder_.path() / "state"};
  ResumeUnitFile unit_{folder_.path() / "units"};
};

TEST_F(LocalRunTest, AFinishedRunLeavesOnlyHowItEnded) {
  begin();
  EXPECT_EQ(resume_local_run(store_, unit_,
                             [](const LocalState& state) {
                               EXPECT_THAT(state.arguments,
                                           ElementsAre("--resume", "--out", "/root/a run"));
                               return ExitStatus::kInconclusive;
                             }),
            ExitStatus::kInconclusive);
  EXPECT_TRUE(is_over());
  EXPECT_EQ(store_.last().value_or(LocalEnd()).folder, "/root/a run");
  EXPECT_EQ(store_.last().value_or(LocalEnd()).how, "finished, exit status 4");
}

TEST_F(LocalRunTest, ARebootIsNoEnd) {
  begin();
  resume_with(Rebooting("now"));
  EXPECT_TRUE(is_under_way());
}

TEST_F(LocalRunTest, ThreeFailuresWithoutProgressEndIt) {
  begin();
  const Error failure(ExitStatus::kEnvironment, "the disk is full");
  resume_with(failure);
  resume_with(std::runtime_error("out of luck"));
  EXPECT_TRUE(is_under_way());
  EXPECT_EQ(store_.demand().last_failure, "out of luck");
  resume_with(failure);
  EXPECT_TRUE(is_over());
  EXPECT_EQ(store_.last().value_or(LocalEnd()).how,
            "given up after 3 starts without progress: the disk is full");
}

TEST_F(LocalRunTest, ThreeKillsWithoutProgressEndItToo) {
  begin(kMostStarts);
  EXPECT_THAT(refusal([&] {
                resume_local_run(store_, unit_, [](const LocalState&) {
                  ADD_FAILURE() << "went on";
                  return ExitStatus::kOk;
                });
              }),
              HasSubstr("given up after 3 starts without progress; the last failure: 02-B"));
  EXPECT_TRUE(is_over());
}

TEST_F(LocalRunTest, AnArmedBootIsProgress) {
  begin(kMostStarts);
  store_.arm(store_.demand(), *whole_state().armed);
  EXPECT_EQ(store_.demand().starts, 0U);
}

TEST_F(LocalRunTest, WhatOnlyAPersonCanCureEndsItAtOnce) {
  begin();
  resume_with(RunOver(ExitStatus::kEnvironment, "wrong kernel", "cure it"));
  EXPECT_TRUE(is_over());
  EXPECT_EQ(store_.last().value_or(LocalEnd()).how, "wrong kernel; cure it");
  begin();
  resume_with(Error(ExitStatus::kUsage, "the benchmark has changed"));
  EXPECT_TRUE(is_over());
}

TEST_F(LocalRunTest, AnInterruptionIsNoFailure) {
  begin();
  resume_with(Error(ExitStatus::kInterrupted, "interrupted"));
  EXPECT_TRUE(is_under_way());
  EXPECT_EQ(store_.demand().last_failure, whole_state().last_failure);
}

TEST_F(LocalRunTest, ASecondResumeLeavesTheFirstAlone) {
  begin(1);
  const RunLock first(store_.folder());
  EXPECT_THAT(refusal([&] {
                resume_local_run(store_, unit_, [](const LocalState&) { return ExitStatus::kOk; });
              }),
              HasSubstr("another msgring works"));
  EXPECT_TRUE(is_under_way());
  EXPECT_EQ(store_.demand().starts, 1U);
}

TEST_F(LocalRunTest, NothingToResumeSaysSo) {
  EXPECT_THAT(refusal([&] {
                resume_local_run(store_, unit_, [](const LocalState&) { return ExitStatus::kOk; });
              }),
              HasSubstr("no run is under way"));
}

TEST_F(LocalRunTest, ABeginningThatFailsLeavesNothingArmed) {
  EXPECT_THROW(begin_local_run(store_, unit_,
                               [&]() -> ExitStatus {
                                 begin();
                                 throw RunOver(ExitStatus::kEnvironment, "no sandwich is complete");
                               }),
               RunOver);
  EXPECT_TRUE(is_over());
  EXPECT_THROW(begin_local_run(store_, unit_,
                               [&]() -> ExitStatus {
                                 begin();
                                 throw Rebooting("now");
                               }),
               Rebooting);
  EXPECT_TRUE(is_under_way());
}

TEST_F(LocalRunTest, ABeginningThatIsRefusedLeavesTheOtherRunAlone) {
  begin();
  EXPECT_THROW(
      begin_local_run(store_, unit_,
                      []() -> ExitStatus { throw Error(ExitStatus::kUsage, "under way"); }),
      Error);
  EXPECT_TRUE(is_under_way());
}

TEST_F(LocalRunTest, AnAbortDisarmsAndKeepsTheFolder) {
  LocalState state = whole_state();
  state.armed->measuring_in.clear();
  store_.save(state);
  unit_.install("unit");
  BoxScript script;
  PretendedBox box(script);
  EXPECT_THAT(
      abort_local_run(store_, unit_, box),
      ElementsAre("boot 02-B is disarmed: no kernel is loaded for kexec any more",
                  HasSubstr("removed"),
                  HasSubstr("/root/a run is kept: msgring aba --resume --out /root/a run")));
  EXPECT_TRUE(is_over());
  EXPECT_EQ(store_.last().value_or(LocalEnd()).how, "aborted");
  EXPECT_THAT(refusal([&] { abort_local_run(store_, unit_, box); }),
              HasSubstr("no run is under way"));
}

TEST_F(LocalRunTest, AnAbortRemovesADamagedStateToo) {
  begin();
  std::ofstream(store_.state_file()) << "{";
  BoxScript script;
  PretendedBox box(script);
  abort_local_run(store_, unit_, box);
  EXPECT_TRUE(is_over());
}

TEST(LocalConditions, AreNamedOneByOne) {
  LocalConditions now;
  const auto say = [&now] { return refusal([&now] { demand_conditions(now); }); };
  EXPECT_THAT(say(), HasSubstr("not root"));
  now.is_root = true;
  EXPECT_THAT(say(), HasSubstr("no systemd runs this machine"));
  now.has_systemd = true;
  now.under_way = whole_state();
  EXPECT_THAT(say(), HasSubstr("/root/a run: this run is under way on this machine already, boot "
                               "02-B is armed; msgring status"));
  now.under_way.reset();
  now.volatile_paths = {{"the run's folder", "/tmp/run"}};
  EXPECT_EQ(say(),
            "the run's folder /tmp/run: lies in memory, and a reboot empties it; take a "
            "folder on a disk");
  now.volatile_paths.clear();
  EXPECT_EQ(say(), "accepted");
}

TEST(IsVolatile, LooksAtTheNearestFolderThatExists) {
  EXPECT_TRUE(is_volatile("/dev/shm/not/there"));
  EXPECT_FALSE(is_volatile("/usr/not/there"));
}

}  // namespace
}  // namespace msgring::boot
