// SPDX-License-Identifier: MIT
#include "cli/aba.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <ctime>
#include <filesystem>
#include <memory>

#include "cli/aba_driver.hpp"
#include "cli/aba_options.hpp"
#include "cli/aba_report.hpp"
#include "cli/aba_tree.hpp"
#include "cli/interruption.hpp"
#include "cli/progress.hpp"
#include "cli/trace.hpp"
#include "msgring/boot/run.hpp"

namespace msgring::cli {
namespace {

namespace fs = std::filesystem;

fs::path default_folder(const std::string& order) {
  return fs::path("runs") /
         fmt::format("{:%Y%m%dT%H%M%SZ}-{}", fmt::gmtime(std::time(nullptr)), order);
}

fs::path bench_program(const AbaOptions& options) {
  fs::path program = options.bench.empty()
                         ? fs::read_symlink("/proc/self/exe").parent_path() / "msgring_bench"
                         : fs::path(options.bench);
  std::error_code ignored;
  if (!fs::is_regular_file(program, ignored)) {
    throw Error(ExitStatus::kUsage, fmt::format("{}: no such benchmark", program.native()),
                "build it (scripts/build release msgring_bench), or name it with --bench");
  }
  return program;
}

/// Gets what the plan names by version and the cache does not have.
void fetch_missing(const boot::Plan& plan, const boot::KernelCache& cache) {
  const auto tell = [](std::string_view line) { fmt::print(stderr, "msgring aba: {}\n", line); };
  boot::KernelFetcher fetcher(cache, tell, interruption().token());
  bool updated = false;
  for (const boot::RolePlan& role : plan.roles) {
    const bool is_path = role.kernel.find('/') != std::string::npos;
    if (is_path || cache.newest(role.kernel)) {
      continue;
    }
    if (!updated) {
      fetcher.update();
      updated = true;
    }
    fetcher.fetch(role.kernel);
  }
}

std::map<char, std::string> kernel_names(const boot::Plan& plan) {
  std::map<char, std::string> names;
  for (const boot::RolePlan& role : plan.roles) {
    const auto revision = role.facts.find("boot.revision");
    names[role.letter] =
        revision != role.facts.end() ? revision->second : fs::path(role.kernel).filename().native();
  }
  return names;
}

/// Boots that have a point already, whichever unit the run is in.
std::size_t finished_boots(const boot::Plan& plan, const fs::path& folder) {
  std::size_t finished = 0;
  for (const host::Unit unit : {host::Unit::kInstructions, host::Unit::kNanoseconds}) {
    for (const boot::PlannedBoot& boot : boot::planned_boots(plan, unit)) {
      finished += boot::RunFolder(folder).has_point(boot.name) ? 1U : 0U;
    }
  }
  return finished;
}

/// Before anything is booted. Both boot the kernels once more, under QEMU, which does not have
/// those of a real machine.
void check_reasons(const boot::Plan& plan, const WhyOptions& why) {
  if (why.trace) {
    demand_trace();
  }
  if (plan.driver != boot::DriverKind::kQemu && (why.explain || why.trace)) {
    throw Error(ExitStatus::kUsage, "--explain and --trace boot the cached kernels in QEMU",
                "leave them away here; msgring explain and msgring trace take the same versions");
  }
}

boot::RunSetup setup_of(const AbaOptions& options, const boot::Plan& plan) {
  boot::RunSetup setup;
  setup.cache = options.cache.empty() ? boot::KernelCache() : boot::KernelCache(options.cache);
  setup.folder = options.out.empty() ? default_folder(plan.order) : fs::path(options.out);
  setup.bench_program = bench_program(options);
  setup.emulator = options.qemu;
  if (plan.driver == boot::DriverKind::kLocal) {
    // A later process, which works in another folder, goes on with them.
    setup.folder = fs::absolute(setup.folder);
    setup.bench_program = fs::absolute(setup.bench_program);
  }
  return setup;
}

/// Begins, or goes on, until there is something to compare.
boot::RunResult measure(const AbaOptions& options, const boot::Plan& plan,
                        const boot::RunSetup& setup, boot::Driver& driver) {
  const bool counts_time =
      plan.unit == boot::UnitChoice::kNanoseconds || plan.driver != boot::DriverKind::kQemu;
  const host::Unit likely = counts_time ? host::Unit::kNanoseconds : host::Unit::kInstructions;
  Progress progress(boot::planned_boots(plan, likely).size(), finished_boots(plan, setup.folder),
                    kernel_names(plan));
  return boot::execute_run(plan, setup, driver,
                           options.resume ? boot::RunStart::kResume : boot::RunStart::kFresh,
                           progress, interruption().token());
}

}  // namespace

ExitStatus run_aba(const AbaOptions& options, boot::LocalStart start) {
  boot::Plan plan = plan_from(options);
  const boot::RunSetup setup = setup_of(options, plan);
  const std::stop_token stop = interruption().token();
  const std::unique_ptr<boot::Driver> driver = make_driver(options, plan, setup, start, stop);
  if (!options.tree.empty() && !options.resume) {
    if (plan.driver != boot::DriverKind::kQemu) {
      throw Error(ExitStatus::kUsage, "--tree builds kernels for guests, and this driver has none",
                  "leave --driver away; a real machine boots what is installed there");
    }
    build_roles(plan, options, stop);
  }
  if (options.fetch && plan.driver == boot::DriverKind::kQemu) {
    fetch_missing(plan, setup.cache);
  }
  check_reasons(plan, options.report.why);
  if (options.dry_run) {
    for (const std::string& line : boot::describe_run(plan, setup, *driver)) {
      fmt::print("{}\n", line);
    }
    return ExitStatus::kOk;
  }
  const auto carry_out = [&] {
    const boot::RunResult result = measure(options, plan, setup, *driver);
    ReportOptions report = options.report;
    report.threshold = options.threshold_percent / 100;
    return report_run(setup, plan, result, report, stop);
  };
  return plan.driver == boot::DriverKind::kLocal && start == boot::LocalStart::kByHand
             ? boot::begin_local_run(options.local.store(), options.local.unit(), carry_out)
             : carry_out();
}

void add_aba(CLI::App& app, ExitStatus& status) {
  const auto options = std::make_shared<AbaOptions>();
  CLI::App* command =
      app.add_subcommand("aba", "Boot kernels in a sandwich, measure, compare and report");
  add_aba_options(*command, *options);
  command->callback([options, &status] {
    try {
      status = run_aba(*options, boot::LocalStart::kByHand);
    } catch (const boot::Rebooting& rebooting) {
      fmt::print("msgring aba: {}; msgring status shows how far it is, msgring abort ends it\n",
                 rebooting.what());
      status = ExitStatus::kOk;
    }
  });
}

}  // namespace msgring::cli
