// SPDX-License-Identifier: MIT
#include "cli/bisect_options.hpp"

#include <CLI/CLI.hpp>
#include <numeric>

namespace msgring::cli {
namespace {

void add_boot_options(CLI::App& command, BisectOptions& options) {
  command.add_option("--workload", options.workload, "What to run (default: first_fill)");
  command.add_option("--primary", options.primary,
                     "The comparison that decides: WORKLOAD or WORKLOAD/PHASE");
  command
      .add_option("--seeds", options.seeds,
                  "Counting instructions: boots of a candidate, each with its own seed")
      ->capture_default_str();
  command.add_option("--unit", options.unit, "auto, ns or instructions")->capture_default_str();
  command.add_option("--jobs", options.jobs, "Boots at once when counting (default: one a CPU)");
  command.add_option("--memory", options.memory_mib, "Memory of a guest in MiB")
      ->capture_default_str();
  command.add_option("--retries", options.retries, "Further tries of a lost boot")
      ->capture_default_str();
  command
      .add_option("--boot-deadline", options.boot_deadline_s, "Seconds for booting and settling")
      ->capture_default_str();
  command.add_option("--measure-deadline", options.measure_deadline_s, "Seconds for measuring")
      ->capture_default_str();
  command.add_option("--bench", options.bench, "The benchmark (default: beside this program)");
  command.add_option("--qemu", options.qemu, "The emulator")->capture_default_str();
  command.add_option("arguments", options.arguments, "After --: the benchmark's own options");
}

}  // namespace

std::string without_percent_sign(std::string text) {
  if (text.size() > 1 && text.back() == '%') {
    text.pop_back();
  }
  return text;
}

void add_bisect_options(CLI::App& command, BisectOptions& options) {
  command.add_option("--releases", options.releases,
                     "Which packaged kernel brought it: GOOD..BAD, such as 6.12..7.1");
  command.add_option("--tree", options.tree,
                     "Which commit brought it: a git repository of Linux, which stays as it is");
  command.add_option("--good", options.good, "With --tree: the revision that is not slower");
  command.add_option("--bad", options.bad, "With --tree: the revision that is");
  command.add_option("--config", options.config,
                     "With --tree: a kernel configuration in place of msgring's own");
  command.add_option("--flavour", options.flavour, "Of the packaged kernels; \"\" takes all")
      ->capture_default_str();
  command
      .add_option("--threshold", options.threshold_percent,
                  "Bad is what costs more than good by this, percent")
      ->transform(without_percent_sign)
      ->check(CLI::Range(0.0, 1000.0))
      ->capture_default_str();
  command.add_option("--out", options.out, "The bisect's folder (default: runs/TIME-bisect)");
  command.add_flag("--resume", options.resume, "Go on with the bisect in --out");
  command.add_option("--cache", options.cache, "The folder of kernels");
  command.add_flag("--fetch", options.fetch,
                   "Take the kernels that the package mirror serves too, and fetch what is needed");
  command.add_flag("--no-explain", options.no_explain,
                   "Leave out the kernel functions that the step went to");
  add_boot_options(command, options);
}

boot::Plan boot_plan_from(const BisectOptions& options, const std::string& good,
                          const std::string& bad) {
  boot::Plan plan;
  plan.roles = {{'A', good, ""}, {'B', bad, ""}};
  plan.seeds.resize(options.seeds);
  std::iota(plan.seeds.begin(), plan.seeds.end(), 1U);
  plan.unit = boot::parse_unit_choice(options.unit, "--unit");
  plan.jobs = options.jobs;
  plan.memory_mib = options.memory_mib;
  plan.retries = options.retries;
  plan.deadlines.boot = std::chrono::seconds(options.boot_deadline_s);
  plan.deadlines.settle = plan.deadlines.boot;
  plan.deadlines.measure = std::chrono::seconds(options.measure_deadline_s);
  if (!options.workload.empty()) {
    plan.arguments = {"--workload", options.workload};
  }
  plan.arguments.insert(plan.arguments.end(), options.arguments.begin(), options.arguments.end());
  boot::check_plan(plan, "bisect");
  return plan;
}

}  // namespace msgring::cli
