// SPDX-License-Identifier: MIT
#include "cli/kernel.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "cli/interruption.hpp"
#include "msgring/host/whole_file.hpp"
#include "msgring/tree/builder.hpp"

namespace msgring::cli {
namespace {

namespace fs = std::filesystem;

struct KernelBuildOptions {
  tree::BuildRequest request;
  std::string cache;
  unsigned jobs = 0;
  std::string out;
};

std::string identity_lines(const tree::BuiltKernel& built) {
  std::string text = fmt::format("release\t{}\n", built.kernel.release);
  for (const auto& [key, value] : tree::identity_facts(built.identity)) {
    text += fmt::format("{}\t{}\n", key.substr(key.find('.') + 1), value);
  }
  return text;
}

/// The folder to copy to, made before anything is built: a mistake in it shows at once.
void prepare_out(const fs::path& out) {
  fs::create_directories(out);
  if (!fs::is_empty(out)) {
    throw Error(ExitStatus::kUsage, fmt::format("--out {}: is not empty", out.native()),
                "take another folder");
  }
}

void build(const KernelBuildOptions& options) {
  if (!options.out.empty()) {
    prepare_out(options.out);
  }
  tree::BuilderSetup setup;
  setup.cache_root = options.cache;
  setup.jobs = options.jobs;
  setup.progress = [](std::string_view line) {
    fmt::print(stderr, "msgring kernel build: {}\n", line);
  };
  setup.stop = interruption().token();
  const tree::BuiltKernel built = tree::KernelBuilder(setup).build(options.request);
  const std::string text = identity_lines(built);
  fs::path image = built.kernel.image;
  if (!options.out.empty()) {
    image = fs::path(options.out) / "vmlinuz";
    fs::copy_file(built.kernel.config, fs::path(options.out) / "config");
    host::write_new_file(fs::path(options.out) / "identity", text);
    fs::copy_file(built.kernel.image, image);
  }
  fmt::print("{}image\t{}\n", text, image.native());
}

}  // namespace

void add_kernel(CLI::App& app, ExitStatus& status) {
  const auto options = std::make_shared<KernelBuildOptions>();
  CLI::App* kernel = app.add_subcommand("kernel", "Build kernels from a git tree");
  kernel->require_subcommand(1);
  CLI::App* command = kernel->add_subcommand(
      "build", "Build one revision, so that only what was asked for differs from another build");
  tree::BuildRequest& request = options->request;
  command->add_option("--tree", request.tree, "A git checkout or repository of Linux")->required();
  command->add_option("--rev", request.revision, "A revision, or worktree: the files as they are")
      ->capture_default_str();
  command->add_option("--patch", request.patch, "A patch to apply on top");
  command->add_option("--config", request.config,
                      "A .config in place of msgring's own (tinyconfig and what a guest needs)");
  command->add_option("--set", request.config_changes, "An option to change: CONFIG_MEMCG=n")
      ->allow_extra_args(false);
  command->add_option("--out", options->out, "Copy image, configuration and identity to a folder");
  command->add_option("--jobs", options->jobs, "Compilers at once (default: one a CPU)");
  command->add_option("--cache", options->cache,
                      "The folder of builds (default: msgring/trees in the user's cache)");
  command->callback([options, &status] {
    build(*options);
    status = ExitStatus::kOk;
  });
}

}  // namespace msgring::cli
