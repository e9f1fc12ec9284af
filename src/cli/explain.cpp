// SPDX-License-Identifier: MIT
#include "cli/explain.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>

#include "cli/guest_boot.hpp"
#include "cli/interruption.hpp"
#include "cli/profile_boot.hpp"
#include "msgring/host/output_file.hpp"
#include "msgring/profile/difference.hpp"
#include "msgring/profile/render.hpp"

namespace msgring::cli {
namespace {

namespace fs = std::filesystem;

enum class Format { kText, kJson, kHtml, kFolded };

struct ExplainOptions {
  std::vector<std::string> files;  ///< two profiles, or none
  std::string a;
  std::string b;
  ProfilePlan plan;
  std::vector<std::pair<const char*, std::uint32_t>> sizes;  ///< of the workload's shape, as asked
  std::string bench;
  std::string cache;
  bool fetch = false;
  bool group_names = false;
  profile::TextLimits limits;
  Format format = Format::kText;
  std::string out;
  std::string keep;
  bool force = false;
};

host::Overwrite overwrite(const ExplainOptions& options) {
  return options.force ? host::Overwrite::kForce : host::Overwrite::kRefuse;
}

std::vector<profile::Profile> boot_both(const ExplainOptions& options) {
  ProfilePlan plan = options.plan;
  for (const auto& [name, size] : options.sizes) {
    plan.arguments.insert(plan.arguments.end(), {name, std::to_string(size)});
  }
  plan.bench_program =
      options.bench.empty() ? program_beside("msgring_bench") : fs::path(options.bench);
  const auto cache =
      options.cache.empty() ? boot::KernelCache() : boot::KernelCache(fs::path(options.cache));
  const std::stop_token stop = interruption().token();
  return profile_boots(
      resolve_kernels({options.a, options.b}, cache, options.fetch, "msgring explain", stop), plan,
      stop);
}

std::vector<profile::Profile> read_both(const ExplainOptions& options) {
  return {profile::read_profile(options.files[0]), profile::read_profile(options.files[1])};
}

std::string rendered(const std::vector<profile::Difference>& phases,
                     const ExplainOptions& options) {
  switch (options.format) {
    case Format::kJson:
      return profile::difference_json(phases);
    case Format::kHtml:
      return profile::difference_html(phases);
    case Format::kFolded:
      return profile::difference_folded(phases);
    case Format::kText:
      break;
  }
  return profile::difference_text(phases, options.limits);
}

/// The files of --keep, reserved before anything is booted.
class Kept {
 public:
  explicit Kept(const ExplainOptions& options) {
    if (!options.keep.empty()) {
      a_.emplace(options.keep + "-a.profile", overwrite(options), "--keep");
      b_.emplace(options.keep + "-b.profile", overwrite(options), "--keep");
    }
  }

  void commit(const std::vector<profile::Profile>& profiles) {
    if (a_) {
      a_->commit(profile::profile_text(profiles[0]));
      b_->commit(profile::profile_text(profiles[1]));
    }
  }

 private:
  std::optional<host::OutputFile> a_;
  std::optional<host::OutputFile> b_;
};

ExitStatus run(const ExplainOptions& options) {
  const bool boots = !options.a.empty() && !options.b.empty();
  if (boots == !options.files.empty() || (!boots && options.files.size() != 2)) {
    throw Error(ExitStatus::kUsage, "explain: it takes two profiles, or two kernels",
                "msgring explain A.profile B.profile, or msgring explain --a 6.12 --b 7.1");
  }
  std::optional<host::OutputFile> out;
  if (!options.out.empty() && options.out != "-") {
    out.emplace(options.out, overwrite(options));
  }
  Kept kept(options);
  const std::vector<profile::Profile> profiles = boots ? boot_both(options) : read_both(options);
  kept.commit(profiles);
  const auto names = options.group_names ? profile::Names::kGrouped : profile::Names::kAsTheyAre;
  const std::string text = rendered(profile::subtract(profiles[0], profiles[1], names), options);
  if (out) {
    out->commit(text);
  } else {
    fmt::print("{}", text);
  }
  return ExitStatus::kOk;
}

void bind_boot_options(CLI::App& command, ExplainOptions& options) {
  command.add_option("--a", options.a, "Kernel A: a version such as 6.12, or an image's path");
  command.add_option("--b", options.b, "Kernel B");
  command.add_option("--workload", options.plan.workload, "What to run")->capture_default_str();
  const auto add_size = [&](const char* name, const char* help, std::uint32_t most) {
    command
        .add_option_function<std::uint32_t>(
            name, [&options, name](std::uint32_t size) { options.sizes.emplace_back(name, size); },
            help)
        ->check(CLI::Range(1U, most));
  };
  add_size("--slots", "Entries of the file table", 1U << 20);
  add_size("--batch", "SQEs per system call", 4'096);
  add_size("--ops", "Operations of a round that fills no table", 1'000'000);
  command.add_option("--rounds", options.plan.rounds, "Rounds to count")
      ->check(CLI::Range(1U, 10'000U))
      ->capture_default_str();
  command.add_option("--warmup", options.plan.warmup, "Rounds before them, not counted")
      ->check(CLI::Range(1U, 10'000U))
      ->capture_default_str();
  command.add_option("--seed", options.plan.seed, "Of the emulator's randomness")
      ->capture_default_str();
  command.add_option("--qemu", options.plan.qemu, "The emulator")->capture_default_str();
  command.add_option("--bench", options.bench, "The benchmark (default: beside this program)");
  command.add_option("--cache", options.cache,
                     "The folder of kernels (default: msgring/kernels in the user's cache)");
  command.add_flag("--fetch", options.fetch, "Fetch kernels that the cache does not have");
  command.add_option("--keep", options.keep,
                     "Keep both profiles as NAME-a.profile and NAME-b.profile");
}

void bind_output_options(CLI::App& command, ExplainOptions& options) {
  const std::map<std::string, Format> formats{{"text", Format::kText},
                                              {"json", Format::kJson},
                                              {"html", Format::kHtml},
                                              {"folded", Format::kFolded}};
  command.add_option("--format", options.format, "text, json, html or folded")
      ->transform(CLI::CheckedTransformer(formats))
      ->option_text("FORMAT");
  command.add_option("--functions", options.limits.functions, "Rows of the text's function table")
      ->capture_default_str();
  command.add_flag("--group-names", options.group_names,
                   "Take x, x.constprop.0, x.cold and x_noprof as one function");
  command.add_option("--out", options.out, "The file to write (default: standard output)");
  command.add_flag("--force", options.force, "Overwrite files that are there");
}

}  // namespace

void add_explain(CLI::App& app, ExitStatus& status) {
  const auto options = std::make_shared<ExplainOptions>();
  CLI::App* command = app.add_subcommand(
      "explain", "Count instructions by kernel function on two kernels, and subtract");
  command->add_option("profile", options->files, "Two profiles that --keep wrote")->expected(0, 2);
  bind_boot_options(*command, *options);
  bind_output_options(*command, *options);
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace msgring::cli
