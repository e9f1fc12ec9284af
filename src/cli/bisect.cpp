// SPDX-License-Identifier: MIT
#include "cli/bisect.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/bisect_final.hpp"
#include "cli/bisect_options.hpp"
#include "cli/bisect_progress.hpp"
#include "cli/bisect_subject.hpp"
#include "cli/guest_boot.hpp"
#include "cli/interruption.hpp"
#include "msgring/bisect/find.hpp"
#include "msgring/bisect/kernel_measurer.hpp"
#include "msgring/bisect/text.hpp"
#include "msgring/host/sha256.hpp"
#include "msgring/host/whole_file.hpp"

namespace msgring::cli {
namespace {

namespace fs = std::filesystem;
using bisect::BisectFolder;
using bisect::Question;

fs::path default_folder() {
  return fs::path("runs") /
         fmt::format("{:%Y%m%dT%H%M%SZ}-bisect", fmt::gmtime(std::time(nullptr)));
}

void check_what_is_asked(const BisectOptions& options) {
  const bool tree = !options.tree.empty() || !options.good.empty() || !options.bad.empty();
  if (tree == !options.releases.empty() ||
      (tree && (options.tree.empty() || options.good.empty() || options.bad.empty()))) {
    throw Error(ExitStatus::kUsage, "bisect: between what?",
                "give --releases GOOD..BAD, or --tree T --good G --bad B");
  }
}

/// The range, as both forms of the command line say it.
std::string asked(const BisectOptions& options) {
  return options.releases.empty() && !options.good.empty()
             ? fmt::format("{}..{}", options.good, options.bad)
             : options.releases;
}

/// The stored question. What is asked now must not be another one.
BisectFolder resumed(const BisectOptions& options, const fs::path& bench) {
  if (options.out.empty()) {
    throw Error(ExitStatus::kUsage, "--resume: which bisect?", "name its folder with --out");
  }
  BisectFolder folder = BisectFolder::resume(options.out);
  const Question& question = folder.question();
  if (const std::string now = asked(options); !now.empty() && now != question.asked) {
    throw Error(ExitStatus::kUsage,
                fmt::format("{}: is the bisect of {}, not of {}", options.out, question.asked, now),
                "resume without the range, or take another folder");
  }
  if (host::sha256_of_file(bench) != question.bench_sha256) {
    throw Error(ExitStatus::kUsage,
                fmt::format("{}: has changed since the bisect began", bench.native()),
                "bring it back, or begin a new bisect");
  }
  return folder;
}

BisectFolder begun(const BisectOptions& options, const fs::path& bench, BisectSubject& subject) {
  Question question = subject.question(options);
  question.threshold = options.threshold_percent / 100;
  question.primary = options.primary;
  question.plan = boot::plan_text(boot_plan_from(options, question.good, question.bad));
  question.bench_sha256 = host::sha256_of_file(bench);
  return BisectFolder::begin(options.out.empty() ? default_folder() : fs::path(options.out),
                             question);
}

bisect::KernelMeasurerSetup measurer_setup(const BisectFolder& folder, const boot::RunSetup& boots,
                                           BisectSubject& subject) {
  const Question& question = folder.question();
  bisect::KernelMeasurerSetup setup;
  setup.good = question.good;
  setup.bad = question.bad;
  setup.plan = boot::parse_plan(question.plan, "bisect.json");
  setup.boots = boots;
  setup.primary = question.primary;
  setup.threshold = question.threshold;
  setup.references = folder.step_folder(0, "references");
  setup.kernel_of = [&](const std::string& candidate) {
    return subject.kernel_of(candidate, folder);
  };
  setup.observe = bisect_progress;
  return setup;
}

void keep_result(const BisectFolder& folder, const std::string& text) {
  const fs::path file = folder.path() / "result.txt";
  std::error_code ignored;
  if (!fs::exists(file, ignored)) {
    host::write_new_file(file, text);
  }
}

/// Searches, or tells again what was found, and prints it.
bisect::Found find_and_tell(BisectFolder& folder, BisectSubject& subject,
                            bisect::Measurer& measurer, const std::stop_token& stop) {
  const Question& question = folder.question();
  fmt::print("{}\n", bisect::rule_text(question));
  const auto search = subject.search(folder);
  StepLines lines;
  bisect::Found found = bisect::find(folder, *search, measurer, lines, stop);
  const std::string result = fmt::format(
      "{}\n{}", bisect::steps_table(question, search->label(question.good), folder.steps()),
      bisect::conclusion_text(question, folder.steps(), *search, found));
  fmt::print("{}", result);
  keep_result(folder, result);
  subject.keep_search(*search, folder);
  return found;
}

std::unique_ptr<BisectSubject> subject_for(bool is_tree, const BisectOptions& options,
                                           const boot::RunSetup& boots,
                                           const std::stop_token& stop) {
  return is_tree ? tree_subject(stop) : release_subject(boots.cache, options.fetch, stop);
}

ExitStatus run(const BisectOptions& options) {
  boot::RunSetup boots;
  boots.bench_program =
      options.bench.empty() ? program_beside("msgring_bench") : fs::path(options.bench);
  boots.cache = options.cache.empty() ? boot::KernelCache() : boot::KernelCache(options.cache);
  boots.emulator = options.qemu;
  const std::stop_token stop = interruption().token();
  std::unique_ptr<BisectSubject> subject;
  std::optional<BisectFolder> folder;
  if (options.resume) {
    folder.emplace(resumed(options, boots.bench_program));
    subject = subject_for(!folder->question().tree.empty(), options, boots, stop);
  } else {
    check_what_is_asked(options);
    subject = subject_for(!options.tree.empty(), options, boots, stop);
    folder.emplace(begun(options, boots.bench_program, *subject));
  }
  const bisect::KernelMeasurerSetup setup = measurer_setup(*folder, boots, *subject);
  bisect::KernelMeasurer measurer(setup, stop);
  const bisect::Found found = find_and_tell(*folder, *subject, measurer, stop);
  if (!found.is_one()) {
    fmt::print("folder   {}\n", folder->path().native());
    return ExitStatus::kInconclusive;
  }
  if (const std::string note = subject->note_on_introduced(found); !note.empty()) {
    fmt::print("{}\n", note);
  }
  fmt::print("\n");
  std::fflush(stdout);
  const FinalStep step{setup.kernel_of(found.last_good), setup.kernel_of(found.first_bad()),
                       subject->introduced(found), !options.no_explain};
  boots.folder = folder->final_folder();
  report_final_step(setup.plan, boots, folder->question().primary, step, stop);
  return ExitStatus::kOk;
}

}  // namespace

void add_bisect(CLI::App& app, ExitStatus& status) {
  const auto options = std::make_shared<BisectOptions>();
  CLI::App* command = app.add_subcommand(
      "bisect", "Find the release or the commit that brought a slowdown, unattended");
  add_bisect_options(*command, *options);
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace msgring::cli
