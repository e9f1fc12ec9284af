// SPDX-License-Identifier: MIT
// What else this machine is doing just now.
#include <fmt/format.h>

#include "answer.hpp"
#include "finding_groups.hpp"
#include "msgring/host/cpus.hpp"
#include "msgring/host/settle.hpp"
#include "parse.hpp"

namespace msgring::host {
namespace {

/// Above one task that runs all the time, something is going on.
constexpr double kHighLoad = 1.0;

void judge_load(const Root& root, std::vector<Finding>& findings) {
  const std::string text = read_attribute(root.path("/proc/loadavg")).text;
  const auto words = words_of(text);
  const auto load = words.empty() ? std::nullopt : parse_number<double>(words[0]);
  if (!load) {
    findings.push_back({Severity::kNote, "load", text_of(unknown("no load in /proc/loadavg")),
                        "whether the machine is busy cannot be seen", ""});
  } else if (*load > kHighLoad) {
    findings.push_back({Severity::kWarning, "load",
                        fmt::format("{} tasks on average in the last minute", *load),
                        "other work takes caches, memory bandwidth and clock rate",
                        "end it, or wait until it has ended"});
  }
}

void judge_other_tasks(const Root& root, std::vector<Finding>& findings) {
  const auto activity = read_activity(root);
  if (!activity || activity->runnable <= 1) {
    return;
  }
  const std::uint64_t others = activity->runnable - 1;
  // In a fresh boot they are the boot's own, and settling waits for them.
  const bool is_fresh =
      activity->uptime_s < static_cast<double>(SettleOptions{}.fresh_boot.count());
  const bool is_crowded = others >= activity->online_cpus;
  findings.push_back({is_crowded && !is_fresh ? Severity::kWarning : Severity::kNote, "other_tasks",
                      fmt::format("{} besides this one want to run now; CPUs online: {}", others,
                                  activity->online_cpus),
                      "they may run on the measured CPU", "end them, or isolate the CPU"});
}

void judge_swap(const Root& root, std::vector<Finding>& findings) {
  const std::string memory = read_text_file(root.path("/proc/meminfo")).text;
  const auto kibibytes = [&](std::string_view name) {
    const std::string text = field_of(memory, name).value_or("");
    const auto words = words_of(text);
    return words.empty() ? 0 : parse_number<std::uint64_t>(words[0]).value_or(0);
  };
  const std::uint64_t total = kibibytes("SwapTotal");
  const std::uint64_t free = kibibytes("SwapFree");
  if (total > free) {
    findings.push_back({Severity::kNote, "swap", fmt::format("{} KiB in use", total - free),
                        "a page fault in the timed region may wait for a disk",
                        "free memory, then swapoff -a"});
  }
}

}  // namespace

void append_load_findings(const Root& root, std::vector<Finding>& findings) {
  judge_load(root, findings);
  judge_other_tasks(root, findings);
  judge_swap(root, findings);
}

}  // namespace msgring::host
