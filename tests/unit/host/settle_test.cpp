// SPDX-License-Identifier: MIT
// Settling outlasts the background work of a fresh boot, ends on a machine that is never idle, and
// does not wait where nothing is left over from booting.
#include "msgring/host/settle.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/time.h>

#include <stdexcept>

#include "fake_tree.hpp"

namespace msgring::host {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using namespace std::chrono_literals;

/// A machine that is busy until `busy_until_s` and then only ticks over. Its clock moves by
/// sleeping.
class FakeMachine {
 public:
  FakeMachine(double uptime_s, double busy_until_s) : busy_until_s_(busy_until_s) {
    now_.uptime_s = uptime_s;
    now_.runnable = 1;
  }

  SettleMachine machine() {
    return {[this]() -> std::optional<Activity> { return now_; },
            [this](milliseconds length) { sleep(length); }};
  }

  double slept_s() const { return slept_s_; }

 private:
  void sleep(milliseconds length) {
    const double seconds = static_cast<double>(length.count()) / 1000;
    const bool busy = now_.uptime_s < busy_until_s_;
    slept_s_ += seconds;
    now_.uptime_s += seconds;
    now_.busy_ticks += busy ? 20 : 1;
    now_.context_switches += busy ? 4000 : 20;
    now_.forks += busy ? 5 : 0;
  }

  Activity now_;
  double busy_until_s_;
  double slept_s_ = 0;
};

TEST(Settle, WaitsUntilFreshBootHasBeenQuietForSomeWindowsInRow) {
  FakeMachine fake(3.0, 9.9);
  const SettleResult result = settle_until_idle({}, fake.machine());
  // The window from 9.5 to 10.0 is the last busy one; 12 quiet ones of 0.5 s end at 16.0: 13 s.
  EXPECT_TRUE(result.reached_idle);
  EXPECT_DOUBLE_EQ(result.waited_s, 13.0);
  EXPECT_EQ(result.windows, 26);
  EXPECT_EQ(result.text, "fresh boot: idle after 13.0 s");
}

TEST(Settle, OneQuietWindowBetweenBusyOnesIsNotIdle) {
  int window = 0;
  Activity now{1, 0, 0, 0, 1, 5.0};
  // Quiet, quiet, quiet, busy, and then quiet for good: 12 in a row end with the 16th.
  const SettleMachine machine{[&]() -> std::optional<Activity> { return now; },
                              [&](milliseconds) {
                                now.uptime_s += 0.5;
                                now.busy_ticks += ++window == 4 ? 30U : 0U;
                              }};
  EXPECT_EQ(settle_until_idle({}, machine).windows, 16);
}

TEST(Settle, GivesUpAtTheCapAndSaysWhatKeptTheMachineBusy) {
  FakeMachine fake(3.0, 1e9);
  SettleOptions options;
  options.cap = 20s;
  const SettleResult result = settle_until_idle(options, fake.machine());
  EXPECT_FALSE(result.reached_idle);
  EXPECT_DOUBLE_EQ(fake.slept_s(), 20.0);
  // Per window of 0.5 s: 20 ticks, 4000 switches, 5 forks.
  EXPECT_EQ(result.text,
            "fresh boot: not idle after 20.0 s; last window: 40.0 busy ticks/s, 8000 context "
            "switches/s, 10.0 forks/s over 1 CPU, 1 runnable");
}

TEST(Settle, LooksOnceAndWaitsNoFurtherInAnOldBoot) {
  FakeMachine busy(5000, 1e9);
  const SettleResult not_idle = settle_until_idle({}, busy.machine());
  EXPECT_FALSE(not_idle.reached_idle);
  EXPECT_EQ(not_idle.windows, 1);
  EXPECT_THAT(not_idle.text, HasSubstr("boot is 5000 s old: not idle after 0.5 s"));
  FakeMachine idle(5000, 0);
  EXPECT_TRUE(settle_until_idle({}, idle.machine()).reached_idle);
  EXPECT_DOUBLE_EQ(idle.slept_s(), 0.5);
}

TEST(Settle, RatesArePerCpuAndRunnableTasksAreOnlyTold) {
  // 60 switches in 0.5 s are 120/s: idle for 4 CPUs (50 each), not for 2.
  for (const unsigned cpus : {2U, 4U}) {
    Activity now{cpus, 0, 0, 0, 2, 500};
    const SettleMachine machine{[&]() -> std::optional<Activity> { return now; },
                                [&](milliseconds) {
                                  now.uptime_s += 0.5;
                                  now.context_switches += 60;
                                }};
    EXPECT_EQ(settle_until_idle({}, machine).reached_idle, cpus == 4) << cpus;
  }
}

TEST(Settle, EndsUnderClockThatStandsStill) {
  Activity now{1, 0, 0, 0, 1, 5.0};
  const SettleMachine machine{[&]() -> std::optional<Activity> { return now; },
                              [&](milliseconds) { now.busy_ticks += 50; }};
  const SettleResult result = settle_until_idle({}, machine);
  EXPECT_FALSE(result.reached_idle);
  EXPECT_EQ(result.windows, 120);  // a cap of 60 s in windows of 0.5 s
}

TEST(Settle, UnreadableMachineIsUnknownNotIdle) {
  const FakeTree empty;
  EXPECT_EQ(read_activity(empty.root()), std::nullopt);
  const SettleMachine machine{[&] { return read_activity(empty.root()); }, [](milliseconds) {}};
  EXPECT_FALSE(settle_until_idle({}, machine).reached_idle);
  EXPECT_FALSE(settle_for(10ms, machine).reached_idle);
  EXPECT_THAT(settle_until_idle({}, machine).text, HasSubstr("unknown"));
}

TEST(Settle, ForFixedTimeWaitsHoweverBusyTheMachineIs) {
  FakeMachine fake(3.0, 1e9);
  const SettleResult result = settle_for(20s, fake.machine());
  EXPECT_DOUBLE_EQ(result.waited_s, 20.0);
  EXPECT_EQ(result.windows, 1);
  EXPECT_THAT(result.text, HasSubstr("waited 20.0 s as told"));
}

TEST(ReadActivity, SumsWorkAndLeavesOutIdleStealAndGuest) {
  FakeTree tree;
  tree.put("/proc/uptime", "12.34 20.00\n");
  tree.put("/proc/stat",
           "cpu  10 20 30 9000 500 40 50 600 7 8\ncpu0 1 2 3 4 5 6 7 8 9 10\n"
           "cpu7 1 2 3 4 5 6 7 8 9 10\nctxt 123\n"
           "processes 45\nprocs_running 3\nprocs_blocked 9\n");
  const Activity activity = read_activity(tree.root()).value();
  EXPECT_EQ(activity.online_cpus, 2U);
  EXPECT_EQ(activity.busy_ticks, 150U);  // 10 + 20 + 30 + 40 + 50
  EXPECT_EQ(activity.context_switches, 123U);
  EXPECT_EQ(activity.forks, 45U);
  EXPECT_EQ(activity.runnable, 3U);
  EXPECT_DOUBLE_EQ(activity.uptime_s, 12.34);
}

TEST(ReadActivity, OfThisMachineMovesForward) {
  const SettleMachine machine = this_machine();
  const Activity before = machine.read().value();
  machine.sleep(50ms);
  const Activity after = machine.read().value();
  EXPECT_GE(after.uptime_s, before.uptime_s + 0.03);  // uptime ticks in 1/100 s
  EXPECT_GT(after.context_switches, before.context_switches);
  EXPECT_GE(after.runnable, 1U);
}

TEST(Sleep, EndsWhenSignalComesAndTheCallerWantsOut) {
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = [](int) {};
  ASSERT_EQ(::sigaction(SIGALRM, &action, &before), 0);
  const itimerval soon{{0, 0}, {0, 20'000}};
  ASSERT_EQ(::setitimer(ITIMER_REAL, &soon, nullptr), 0);
  const SettleMachine machine = this_machine([] { throw std::runtime_error("interrupted"); });
  EXPECT_THROW(machine.sleep(100s), std::runtime_error);
  ::sigaction(SIGALRM, &before, nullptr);
}

}  // namespace
}  // namespace msgring::host
