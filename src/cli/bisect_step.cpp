// SPDX-License-Identifier: MIT
#include "cli/bisect_step.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "cli/bisect_options.hpp"
#include "cli/bisect_progress.hpp"
#include "cli/guest_boot.hpp"
#include "cli/interruption.hpp"
#include "msgring/bisect/kernel_measurer.hpp"
#include "msgring/bisect/text.hpp"

namespace msgring::cli {
namespace {

namespace fs = std::filesystem;

struct StepOptions {
  std::string reference;
  std::string kernel;
  double threshold_percent = 5;
  std::string primary;
  std::string out;
  std::string bench;
  std::string cache;
  std::string qemu = "qemu-system-x86_64";
};

bool is_run(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(boot::RunFolder(folder).plan_file(), ignored);
}

/// The run of the ends: the folder itself, or that of a bisect.
fs::path references_in(const fs::path& folder) {
  for (const fs::path& place : {folder, folder / "steps" / "00-references"}) {
    if (is_run(place)) {
      return place;
    }
  }
  throw Error(ExitStatus::kUsage,
              fmt::format("--reference {}: holds no run of the ends", folder.native()),
              "make one: msgring aba --a GOOD --b BAD --out " + folder.native());
}

/// The first folder of `base` that is not there yet: one for each step of a bisect.
fs::path next_step_folder(const fs::path& base) {
  fs::path folder;
  unsigned number = 1;
  do {
    folder = base / fmt::format("{:02}", number++);
  } while (fs::exists(folder));
  return folder;
}

bisect::KernelMeasurerSetup setup_from(const StepOptions& options, const fs::path& references) {
  bisect::KernelMeasurerSetup setup;
  setup.plan = boot::stored_plan(references);
  setup.good = setup.plan.role('A').kernel;
  setup.boots.bench_program =
      options.bench.empty() ? program_beside("msgring_bench") : fs::path(options.bench);
  setup.boots.cache =
      options.cache.empty() ? boot::KernelCache() : boot::KernelCache(options.cache);
  setup.boots.emulator = options.qemu;
  setup.primary = options.primary;
  setup.threshold = options.threshold_percent / 100;
  setup.references = references;
  setup.kernel_of = [good = setup.plan.role('A')](const std::string& kernel) {
    boot::RolePlan other;
    other.kernel = kernel;
    return kernel == good.kernel ? good : other;
  };
  setup.observe = bisect_progress;
  return setup;
}

BisectExit exit_for(bisect::Answer answer) {
  switch (answer) {
    case bisect::Answer::kGood:
      return BisectExit::kGood;
    case bisect::Answer::kBad:
      return BisectExit::kBad;
    case bisect::Answer::kSkip:
      break;
  }
  return BisectExit::kSkip;
}

BisectExit answer(const StepOptions& options) {
  const fs::path references = references_in(options.reference);
  const bisect::KernelMeasurerSetup setup = setup_from(options, references);
  bisect::Measured ends;
  ends.figures = bisect::figures_of(
      bisect::compare_sandwich(bisect::finished_boots(references), setup.primary, setup.threshold));
  bisect::check_references(ends, setup.threshold, setup.plan.role('A').kernel,
                           setup.plan.role('B').kernel);
  const fs::path base = options.out.empty() ? options.reference + "-steps" : options.out;
  bisect::KernelMeasurer measurer(setup, interruption().token());
  bisect::Step step;
  step.label = options.kernel;
  step.measured = measurer.candidate(options.kernel, next_step_folder(base), *ends.figures);
  step.decision = bisect::decide(step.measured, setup.threshold);
  fmt::print("{}\n", bisect::step_text(step));
  return exit_for(step.decision.answer);
}

/// No exception may reach main, whose exit statuses would read as "bad".
BisectExit answer_or_abort(const StepOptions& options) {
  try {
    return answer(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "msgring: error: {}\n", describe(error));
    return BisectExit::kAbort;
  }
}

}  // namespace

void add_bisect_step(CLI::App& app, ExitStatus& status) {
  const auto options = std::make_shared<StepOptions>();
  CLI::App* command = app.add_subcommand(
      kBisectStep, "For `git bisect run`: 0 good, 1 bad, 125 cannot be tested, 128 give up");
  command
      ->add_option("--reference", options->reference,
                   "A run of the good kernel (A) and the bad one (B), or a bisect's folder")
      ->required();
  command->add_option("--kernel", options->kernel, "The kernel to judge: an image, or a version")
      ->required();
  command
      ->add_option("--threshold", options->threshold_percent,
                   "Bad is what costs more than good by this, percent")
      ->transform(without_percent_sign)
      ->check(CLI::Range(0.0, 1000.0))
      ->capture_default_str();
  command->add_option("--primary", options->primary,
                      "The comparison that decides: WORKLOAD or WORKLOAD/PHASE");
  command->add_option("--out", options->out,
                      "Where steps are kept, numbered (default: REFERENCE-steps)");
  command->add_option("--bench", options->bench, "The benchmark (default: beside this program)");
  command->add_option("--cache", options->cache, "The folder of kernels");
  command->add_option("--qemu", options->qemu, "The emulator")->capture_default_str();
  command->callback([options, &status] {
    status = static_cast<ExitStatus>(static_cast<int>(answer_or_abort(*options)));
  });
}

}  // namespace msgring::cli
