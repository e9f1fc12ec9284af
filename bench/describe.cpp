// SPDX-License-Identifier: MIT
#include "describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "machine.hpp"
#include "msgring/host/facts.hpp"
#include "msgring/host/root.hpp"
#include "plan.hpp"

namespace msgring::bench {
namespace {

using workload::Parameter;

/// The options that are no sizes, as `--list` has them behind the sizes.
constexpr std::array kModes{Parameter::kSlotMode, Parameter::kTargetCompletion,
                            Parameter::kSourceProfile, Parameter::kTargetProfile};

std::string shape_lines(const Planned& planned) {
  const workload::Entry& entry = *planned.entry;
  const workload::Options& shape = planned.shape;
  std::string text = fmt::format("  {}: {}\n", entry.name, entry.summary);
  const auto add = [&](workload::Parameter parameter, std::string_view key, std::string value) {
    if (uses(entry, parameter)) {
      text += fmt::format("    {:<14}{}\n", key, value);
    }
  };
  text += fmt::format("    phases        {}\n", phases_text(entry));
  add(Parameter::kSlots, "table", fmt::format("{} slots", shape.slots));
  add(Parameter::kFill, "fill", fmt::format("{} of them", workload::installs_of(shape)));
  add(Parameter::kSlotMode, "slots chosen",
      shape.slot_mode == workload::SlotMode::kAlloc ? "by the kernel" : "by number");
  add(Parameter::kBatch, "batches",
      fmt::format("{} SQEs per io_uring_enter, {} s time limit", shape.batch, shape.timeout_s));
  add(Parameter::kOperations, "operations", fmt::format("{} a round", shape.operations));
  add(Parameter::kReplicates, "replicates", fmt::format("{} pairs a round", shape.replicates));
  add(Parameter::kSourceProfile, "source ring",
      std::string(workload::profile_text(shape.source_profile)));
  add(Parameter::kTargetProfile, "target ring",
      std::string(workload::profile_text(shape.target_profile)));
  add(Parameter::kTargetCompletion, "completions",
      shape.target_completion == workload::TargetCompletion::kPosted ? "posted to the target"
                                                                     : "skipped at the target");
  return text;
}

std::string conduct_lines(const BenchOptions& options, const std::vector<Planned>& plan) {
  std::string gap;
  for (const std::chrono::microseconds each : gaps_of(plan, options.gap)) {
    gap += fmt::format("{}{}", gap.empty() ? "" : " or ", static_cast<double>(each.count()) / 1000);
  }
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
      settling, options.warmup, options.rounds, gap, host::clock_text(options.clock),
      host::unit_text(host::unit_of(options.clock)));
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
  if (entry.interval == workload::Interval::kCompared) {
    text += ",interval:round";
  }
  return text;
}

std::string list_text() {
  std::string text;
  for (const workload::Entry& entry : workload::registry()) {
    std::string options;
    for (const auto& [name, value] : sizes_of({&entry, entry.defaults})) {
      options += fmt::format(" --{} {}", name, value);
    }
    for (const workload::Parameter parameter : kModes) {
      if (uses(entry, parameter)) {
        options += fmt::format(" {}", workload::option_name(parameter));
      }
    }
    text +=
        fmt::format("{:<23}{}\n{:<23}phases {}; Linux {} or newer\n{:<23}options{}\n", entry.name,
                    entry.summary, "", phases_text(entry), entry.minimum_kernel, "", options);
  }
  return text;
}

std::string describe_text(const BenchOptions& options) {
  const Machine machine = inspect_machine(options);
  std::string text = "machine\n" + machine_lines(machine) + "workloads\n";
  const std::vector<Planned> plan = plan_of(options);
  for (const Planned& planned : plan) {
    text += shape_lines(planned);
  }
  text += conduct_lines(options, plan);
  text += fmt::format("cpu               this thread is pinned to CPU {}\n", machine.cpu);
  text += fmt::format("open files        soft limit raised to at least {} if it is lower\n",
                      descriptors_needed(options));
  text += fmt::format("locked memory     {}\n", machine.memlock.text);
  return text + output_line(options) + "Nothing was done.\n";
}

}  // namespace msgring::bench
