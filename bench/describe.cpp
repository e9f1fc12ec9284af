// SPDX-License-Identifier: MIT
#include "describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "machine.hpp"
#include "msgring/host/facts.hpp"
#include "msgring/host/root.hpp"

namespace msgring::bench {
namespace {

std::string shape_lines(const workload::Entry& entry, const workload::Options& shape) {
  std::string text = fmt::format("  {}: {}\n", entry.name, entry.summary);
  text += fmt::format("    phases        {}\n", phases_text(entry));
  text += fmt::format("    table         {} slots, chosen by {}\n", shape.slots,
                      shape.slot_mode == workload::SlotMode::kAlloc ? "the kernel" : "number");
  text += fmt::format("    batches       {} SQEs per io_uring_enter, {} s time limit\n",
                      shape.batch, shape.timeout_s);
  text += fmt::format("    source ring   {}\n", workload::profile_text(shape.source_profile));
  text += fmt::format(
      "    target ring   {}, completions {}\n", workload::profile_text(shape.target_profile),
      shape.target_completion == workload::TargetCompletion::kPosted ? "posted" : "skipped");
  return text;
}

std::string conduct_lines(const BenchOptions& options) {
  std::string settling = "none";
  if (options.settle == SettlePolicy::kAuto) {
    settling = "until idle if the boot is fresh";
  } else if (options.settle == SettlePolicy::kSeconds) {
    settling = fmt::format("{} s", options.settle_s);
  }
  return fmt::format(
      "settle            {}\n"
      "rounds            {} warm-up and {} measured for each benchmark, a gap of {} ms before "
      "each\n"
      "clock             {} ({})\n",
      settling, options.warmup, options.rounds, static_cast<double>(options.gap.count()) / 1000,
      host::clock_text(options.shape.clock), host::unit_text(host::unit_of(options.shape.clock)));
}

std::string output_line(const BenchOptions& options) {
  if (options.out.empty()) {
    return "point file        point-<kernel>-<time>.json in this folder\n";
  }
  return fmt::format("point file        {}{}\n", options.out,
                     options.existing == ExistingFile::kOverwrite ? " (replaced if it exists)"
                                                                  : " (must not exist)");
}

std::string machine_lines(const Machine& machine) {
  std::string text;
  for (const auto& [key, value] : host::collect_facts(host::Root(), machine.cpus, machine.cpu)) {
    static constexpr std::array kShown{"kernel.release",  "kernel.preempt_mode", "cpu.model",
                                       "cpu.pinned",      "cpu.governor",        "cpu.turbo",
                                       "cpu.clocksource", "virt.hypervisor"};
    if (std::find(kShown.begin(), kShown.end(), key) != kShown.end()) {
      text += fmt::format("  {:<22}{}\n", key, value);
    }
  }
  for (const host::Finding& finding : machine.findings) {
    text += "  " + host::describe(finding) + "\n";
  }
  return text;
}

}  // namespace

std::string phases_text(const workload::Entry& entry) {
  std::string text;
  for (const workload::PhaseInfo& phase : entry.phases) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",", phase.name, phase.noun);
  }
  return text;
}

std::string list_text() {
  std::string text;
  for (const workload::Entry& entry : workload::registry()) {
    text += fmt::format("{:<16}{}\n{:<16}phases {}; Linux {} or newer\n", entry.name, entry.summary,
                        "", phases_text(entry), entry.minimum_kernel);
  }
  return text;
}

std::string describe_text(const BenchOptions& options) {
  const Machine machine = inspect_machine(options);
  std::string text = "machine\n" + machine_lines(machine) + "workloads\n";
  for (const std::string& name : options.workloads) {
    for (const std::uint32_t slots : options.slots) {
      workload::Options shape = options.shape;
      shape.slots = slots;
      text += shape_lines(*workload::find_workload(name), shape);
    }
  }
  text += conduct_lines(options);
  text += fmt::format("cpu               this thread is pinned to CPU {}\n", machine.cpu);
  text += fmt::format("open files        soft limit raised to at least {} if it is lower\n",
                      most_slots(options));
  text += fmt::format("locked memory     {}\n", machine.memlock.text);
  return text + output_line(options) + "Nothing was done.\n";
}

}  // namespace msgring::bench
