// SPDX-License-Identifier: MIT
#include "cli/aba_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>

#include "msgring/boot/run.hpp"
#include "msgring/error.hpp"

namespace msgring::cli {
namespace {

/// A and B, and as many variants as anybody will boot.
constexpr std::string_view kLetters = "ABCDEFGH";

boot::Plan plan_from_file(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) {
    throw Error(ExitStatus::kUsage, fmt::format("--plan {}: cannot be read", file),
                "give a plan in TOML, such as the plan.toml of an earlier run");
  }
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  return boot::parse_plan(text, file);
}

/// Roles that were given anything; one without a kernel boots the baseline's.
std::vector<boot::RolePlan> roles_from(const AbaOptions& options) {
  std::vector<boot::RolePlan> roles;
  for (const auto& [letter, role] : options.roles) {
    const bool built_otherwise = !role.patch.empty() || !role.config.empty();
    if (built_otherwise && options.tree.empty()) {
      throw Error(ExitStatus::kUsage,
                  fmt::format("a patch or a configuration for {}, but no tree to build", letter),
                  "name a git checkout of Linux with --tree");
    }
    if (letter == 'A' || !role.kernel.empty() || !role.append.empty() || built_otherwise) {
      roles.push_back({letter, kernel_of(options, letter), role.append});
    }
  }
  return roles;
}

/// A sandwich of all roles: ABA for two, ABCCBA for more, so that every role's boots stand on
/// average in the same place.
std::string usual_order(const std::vector<boot::RolePlan>& roles) {
  if (roles.size() == 2) {
    return "ABA";
  }
  std::string order;
  for (const boot::RolePlan& role : roles) {
    order += role.letter;
  }
  return order + std::string(order.rbegin(), order.rend());
}

void add_box_options(CLI::App& command, AbaOptions& options) {
  command
      .add_option("--driver", options.driver,
                  "qemu; ssh: another machine; local: this machine reboots itself")
      ->capture_default_str();
  command.add_option("--host", options.box.host, "The real machine, as ssh takes it: root@box");
  command
      .add_option("--boot", options.boot, "How it is booted: kexec, grub, systemd-boot, command")
      ->capture_default_str();
  command.add_option(
      "--boot-command", options.box.boot_command,
      "For --boot command: a program here, called with host (or localhost) and release");
  command.add_option("--ssh-config", options.box.ssh_config,
                     "A configuration file for ssh (default: your own)");
  command.add_flag("--tune", options.box.tune,
                   "Quiet the machine with tune-host while it measures; needs -- --cpu N");
  add_local_options(command, options.local);
}

void fill_box(const AbaOptions& options, boot::Plan& plan) {
  plan.driver = boot::parse_driver(options.driver, "--driver");
  if (plan.driver == boot::DriverKind::kQemu) {
    if (!(options.box == boot::BoxPlan())) {
      throw Error(ExitStatus::kUsage, "--host and what belongs to it are for real machines",
                  "add --driver ssh, or --driver local");
    }
    return;
  }
  plan.box = options.box;
  plan.box.boot = boot::parse_boot_method(options.boot, "--boot");
  if (!plan.box.ssh_config.empty()) {
    plan.box.ssh_config = std::filesystem::absolute(plan.box.ssh_config);
  }
  if (plan.driver == boot::DriverKind::kLocal && !plan.box.boot_command.empty()) {
    plan.box.boot_command = std::filesystem::absolute(plan.box.boot_command);
  }
}

}  // namespace

std::string kernel_of(const AbaOptions& options, char letter) {
  const std::string& own = options.roles.at(letter).kernel;
  if (!own.empty()) {
    return own;
  }
  const std::string& baseline = options.roles.at('A').kernel;
  return baseline.empty() ? (options.tree.empty() ? "6.12" : "HEAD") : baseline;
}

void add_aba_options(CLI::App& command, AbaOptions& options) {
  for (const char letter : kLetters) {
    const char small = static_cast<char>(std::tolower(letter));
    RoleOptions& role = options.roles[letter];
    auto* kernel = command.add_option(fmt::format("--{}", small), role.kernel,
                                      fmt::format("Kernel of {}: an image, or a version whose "
                                                  "newest cached kernel is taken; with --tree a "
                                                  "revision, or worktree",
                                                  letter));
    auto* append =
        command.add_option(fmt::format("--{}-append", small), role.append,
                           fmt::format("Added to the kernel command line of {}", letter));
    auto* patch = command.add_option(fmt::format("--{}-patch", small), role.patch,
                                     fmt::format("With --tree: a patch on top of {}", letter));
    auto* config =
        command
            .add_option(fmt::format("--{}-config", small), role.config,
                        fmt::format("With --tree: an option to change in {}, CONFIG_MEMCG=n, or a "
                                    ".config file in place of msgring's own",
                                    letter))
            ->allow_extra_args(false);
    if (letter > 'B') {
      for (CLI::Option* option : {kernel, append, patch, config}) {
        option->group("");
      }
    }
  }
  command.add_option("--tree", options.tree,
                     "Build the kernels from a git checkout or repository of Linux");
  command.add_option("--plan", options.plan_file, "Take the whole plan from a TOML file");
  command.add_option("--order", options.order,
                     "The boots, a letter each; of A and B alone it is gone through with each "
                     "further kernel too (default: ABA, ABCCBA)");
  command.add_option("--repeat", options.repeat, "How often the order is gone through")
      ->capture_default_str();
  command
      .add_option("--seeds", options.seeds,
                  "Counting instructions: how many sandwiches, each with its own seed")
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
  add_box_options(command, options);
  command.add_option("--out", options.out, "The run's folder (default: runs/TIME-ORDER)");
  command.add_option("--bench", options.bench, "The benchmark (default: beside this program)");
  command.add_option("--qemu", options.qemu, "The emulator")->capture_default_str();
  command.add_option("--cache", options.cache, "The folder of kernels");
  command
      .add_option("--threshold", options.threshold_percent, "A change below it is none, percent")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 100.0));
  command.add_option("--primary", options.report.primary,
                     "The comparison that decides: WORKLOAD or WORKLOAD/PHASE");
  command
      .add_option("--fail-on", options.report.fail_on,
                  "Exit with 1 if any comparison has one of these verdicts: slower,faster,...")
      ->delimiter(',')
      ->check(CLI::IsMember({"slower", "faster", "unchanged", "inconclusive"}).description(""));
  command.add_option("--introduced", options.report.introduced,
                     "For the mail's #regzbot block: a commit, or a range of upstream versions");
  command.add_flag("--explain", options.report.why.explain,
                   "Add the kernel functions that the difference went to");
  command.add_flag("--trace", options.report.why.trace,
                   "Add the calls and allocations of both kernels");
  command.add_flag("--fetch", options.fetch, "Fetch kernels that are not in the cache");
  command.add_flag("--resume", options.resume, "Go on with the run in --out");
  command.add_flag("--dry-run", options.dry_run, "Print what would be started, and boot nothing");
  command.add_option("arguments", options.arguments, "After --: the benchmark's own options");
}

boot::Plan plan_from(const AbaOptions& options) {
  if (options.resume) {
    if (options.out.empty()) {
      throw Error(ExitStatus::kUsage, "--resume: which run?", "name its folder with --out");
    }
    return boot::stored_plan(options.out);
  }
  if (!options.plan_file.empty()) {
    if (!options.tree.empty()) {
      throw Error(ExitStatus::kUsage, "--plan and --tree: which kernels?",
                  "a plan names its own: leave one of them out");
    }
    return plan_from_file(options.plan_file);
  }
  boot::Plan plan;
  plan.roles = roles_from(options);
  if (plan.roles.size() < 2) {
    plan.roles.push_back({'B', options.tree.empty() ? "7" : "worktree", ""});
  }
  plan.order =
      options.order.empty() ? usual_order(plan.roles) : boot::order_for(options.order, plan.roles);
  plan.repeat = options.repeat;
  plan.seeds.resize(options.seeds);
  std::iota(plan.seeds.begin(), plan.seeds.end(), 1U);
  plan.unit = boot::parse_unit_choice(options.unit, "--unit");
  plan.jobs = options.jobs;
  plan.memory_mib = options.memory_mib;
  plan.retries = options.retries;
  plan.deadlines.boot = std::chrono::seconds(options.boot_deadline_s);
  plan.deadlines.settle = plan.deadlines.boot;
  plan.deadlines.measure = std::chrono::seconds(options.measure_deadline_s);
  plan.arguments = options.arguments;
  fill_box(options, plan);
  boot::check_plan(plan, "aba");
  return plan;
}

}  // namespace msgring::cli
