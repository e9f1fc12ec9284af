// SPDX-License-Identifier: MIT
// Settling: waiting, untimed, until a freshly booted machine has nothing left to do.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "msgring/host/root.hpp"

namespace msgring::host {

/// What /proc/stat and /proc/uptime say at one moment, summed over all CPUs.
struct Activity {
  unsigned online_cpus = 1;
  std::uint64_t busy_ticks = 0;        ///< user, nice, system, irq, softirq; 1/100 s each
  std::uint64_t context_switches = 0;  ///< since boot
  std::uint64_t forks = 0;             ///< since boot
  std::uint64_t runnable = 0;          ///< tasks that run or want to, the reader included
  double uptime_s = 0;
};

/// Nothing if /proc/stat or /proc/uptime cannot be read.
std::optional<Activity> read_activity(const Root& root);

/// How to settle. A window is quiet when its rates are at most these. Runnable tasks are told but
/// not judged: a worker that a deferrable timer wakes together with the reader counts as one, in
/// every second window of an idle Debian 6.12 guest.
///
/// The defaults come from QEMU guests (Debian 6.12 and 7.3): busy with background work up to 3 s of
/// uptime, then 60 switches/s falling to 24 within ten seconds, which cost a busy loop 0.17 % at
/// first and 0.08 % in the end. Some of it comes once, after seconds of silence: with 2 s of quiet
/// asked for, the last round of a 7.3.4 boot was 2.8 % above the median, with 6 s none was 0.6 %.
struct SettleOptions {
  std::chrono::milliseconds window{500};
  int quiet_windows = 12;                ///< this many in a row are an idle machine
  std::chrono::seconds cap{60};          ///< longest wait
  std::chrono::seconds fresh_boot{120};  ///< a boot older than this gets one window and no more
  double most_busy_ticks_per_cpu_s = 2;
  double most_switches_per_cpu_s = 50;
  double most_forks_per_s = 2;
};

/// What settling did, for the point file.
struct SettleResult {
  double waited_s;    ///< by the machine's own clock
  bool reached_idle;  ///< the last windows were quiet: as many as were asked for
  int windows;        ///< how many were looked at
  std::string text;   ///< one line: how long, and idle or what kept the machine busy
};

/// What settling needs from outside; a test puts a machine of its own in here.
struct SettleMachine {
  std::function<std::optional<Activity>()> read;
  std::function<void(std::chrono::milliseconds)> sleep;
};

/// This machine: /proc, and a sleep that calls `check_interrupted` whenever a signal woke it; that
/// may throw to end the waiting.
SettleMachine this_machine(std::function<void()> check_interrupted = {});

/// `--settle auto`: in a fresh boot waits until `quiet_windows` windows in a row are quiet, `cap`
/// at most. In an older boot nothing is left over from booting: one window tells whether the
/// machine is idle now, and there is no further wait.
SettleResult settle_until_idle(const SettleOptions& options, const SettleMachine& machine);

/// `--settle SECONDS`: waits `duration` as one window, however busy the machine is, and says
/// whether it was quiet.
SettleResult settle_for(std::chrono::milliseconds duration, const SettleMachine& machine);

}  // namespace msgring::host
