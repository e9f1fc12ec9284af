// SPDX-License-Identifier: MIT
// Windows of activity from /proc/stat (proc(5)), and the rule that ends the waiting.
#include "msgring/host/settle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <tuple>
#include <utility>

#include "msgring/host/file.hpp"
#include "parse.hpp"

namespace msgring::host {
namespace {

/// Rates of one window, per second.
struct Window {
  double seconds;
  double busy_ticks;
  double switches;
  double forks;
  std::uint64_t runnable;
  double cpus;
};

/// The sum of user, nice, system, irq and softirq of the line "cpu ...": not idle, iowait, steal
/// (another guest's work) nor guest (already in user).
std::uint64_t busy_ticks(const std::vector<std::string_view>& words) {
  std::uint64_t sum = 0;
  for (const std::size_t column : {1U, 2U, 3U, 6U, 7U}) {
    sum += column < words.size() ? parse_number<std::uint64_t>(words[column]).value_or(0) : 0;
  }
  return sum;
}

Window window_between(const Activity& start, const Activity& end) {
  const double seconds = end.uptime_s - start.uptime_s;
  // A clock that stands still must not make a busy window look infinitely busy, or idle.
  const double divisor = seconds > 0 ? seconds : 1;
  const auto rate = [&](std::uint64_t from, std::uint64_t to) {
    return static_cast<double>(to - from) / divisor;
  };
  return {seconds,
          rate(start.busy_ticks, end.busy_ticks),
          rate(start.context_switches, end.context_switches),
          rate(start.forks, end.forks),
          end.runnable,
          static_cast<double>(end.online_cpus)};
}

bool is_quiet(const Window& window, const SettleOptions& options) {
  return window.busy_ticks <= options.most_busy_ticks_per_cpu_s * window.cpus &&
         window.switches <= options.most_switches_per_cpu_s * window.cpus &&
         window.forks <= options.most_forks_per_s;
}

std::string describe(const Window& window) {
  return fmt::format(
      "{:.1f} busy ticks/s, {:.0f} context switches/s, {:.1f} forks/s over {} CPU{}, {} runnable",
      window.busy_ticks, window.switches, window.forks, window.cpus, window.cpus == 1 ? "" : "s",
      window.runnable);
}

/// Sleeps for one window and measures it; nothing if the machine cannot be read.
std::optional<std::pair<Activity, Window>> next_window(const Activity& start,
                                                       std::chrono::milliseconds length,
                                                       const SettleMachine& machine) {
  machine.sleep(length);
  const auto end = machine.read();
  if (!end) {
    return std::nullopt;
  }
  return std::pair(*end, window_between(start, *end));
}

SettleResult unreadable(int windows, double waited_s) {
  return {waited_s, false, windows, "unknown: /proc/stat or /proc/uptime cannot be read"};
}

}  // namespace

std::optional<Activity> read_activity(const Root& root) {
  const TextFile stat = read_text_file(root.path("/proc/stat"));
  const TextFile uptime = read_text_file(root.path("/proc/uptime"));
  const auto uptime_words = words_of(uptime.text);
  if (stat.state != FileState::kRead || uptime_words.empty()) {
    return std::nullopt;
  }
  Activity activity;
  unsigned cpus = 0;
  activity.uptime_s = parse_number<double>(uptime_words[0]).value_or(0);
  for (const std::string_view line : lines_of(stat.text)) {
    const auto words = words_of(line);
    if (words.size() < 2) {
      continue;
    }
    const std::uint64_t first = parse_number<std::uint64_t>(words[1]).value_or(0);
    if (words[0] == "cpu") {
      activity.busy_ticks = busy_ticks(words);
    } else if (words[0].starts_with("cpu")) {
      ++cpus;
    } else if (words[0] == "ctxt") {
      activity.context_switches = first;
    } else if (words[0] == "processes") {
      activity.forks = first;
    } else if (words[0] == "procs_running") {
      activity.runnable = first;
    }
  }
  activity.online_cpus = std::max(cpus, 1U);
  return activity;
}

SettleMachine this_machine(std::function<void()> check_interrupted) {
  const auto sleep = [check = std::move(check_interrupted)](std::chrono::milliseconds length) {
    timespec rest{length.count() / 1000, (length.count() % 1000) * 1'000'000};
    while (::nanosleep(&rest, &rest) != 0 && errno == EINTR) {
      if (check) {
        check();
      }
    }
  };
  return {[] { return read_activity(Root()); }, sleep};
}

SettleResult settle_until_idle(const SettleOptions& options, const SettleMachine& machine) {
  const auto begin = machine.read();
  if (!begin) {
    return unreadable(0, 0);
  }
  const bool is_fresh = begin->uptime_s < static_cast<double>(options.fresh_boot.count());
  const int wanted = is_fresh ? options.quiet_windows : 1;
  // Counted, not clocked, so that it ends under a clock that stands still as well.
  const int most = is_fresh ? static_cast<int>(options.cap / options.window) : 1;
  Activity last = *begin;
  Window window{};
  int quiet = 0;
  int windows = 0;
  while (windows < most && quiet < wanted) {
    const auto next = next_window(last, options.window, machine);
    ++windows;
    if (!next) {
      return unreadable(windows, last.uptime_s - begin->uptime_s);
    }
    std::tie(last, window) = *next;
    quiet = is_quiet(window, options) ? quiet + 1 : 0;
  }
  const double waited_s = last.uptime_s - begin->uptime_s;
  const std::string boot =
      is_fresh ? "fresh boot" : fmt::format("boot is {:.0f} s old", begin->uptime_s);
  if (quiet >= wanted) {
    return {waited_s, true, windows, fmt::format("{}: idle after {:.1f} s", boot, waited_s)};
  }
  return {waited_s, false, windows,
          fmt::format("{}: not idle after {:.1f} s; last window: {}", boot, waited_s,
                      describe(window))};
}

SettleResult settle_for(std::chrono::milliseconds duration, const SettleMachine& machine) {
  const auto begin = machine.read();
  const auto next = next_window(begin.value_or(Activity{}), duration, machine);
  if (!begin || !next) {
    return unreadable(1, 0);
  }
  const Window& window = next->second;
  const bool quiet = is_quiet(window, SettleOptions{});
  return {window.seconds, quiet, 1,
          fmt::format("waited {:.1f} s as told, {}: {}", window.seconds,
                      quiet ? "quiet" : "not quiet", describe(window))};
}

}  // namespace msgring::host
