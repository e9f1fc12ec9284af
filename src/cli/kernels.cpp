// SPDX-License-Identifier: MIT
#include "cli/kernels.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/interruption.hpp"
#include "msgring/boot/kernels.hpp"

namespace msgring::cli {
namespace {

struct KernelsOptions {
  std::string cache;
  std::vector<std::string> versions;
  std::string flavour = std::string(boot::KernelFetcher::default_flavour());
  bool available = false;
};

boot::KernelCache cache_of(const KernelsOptions& options) {
  return options.cache.empty() ? boot::KernelCache() : boot::KernelCache(options.cache);
}

void tell(std::string_view line) { fmt::print(stderr, "msgring kernels: {}\n", line); }

void list(const KernelsOptions& options) {
  if (options.available) {
    boot::KernelFetcher fetcher(cache_of(options), tell, interruption().token());
    fetcher.update();
    for (const std::string& release : fetcher.available(options.flavour)) {
      fmt::print("{}\n", release);
    }
    return;
  }
  for (const boot::Kernel& kernel : cache_of(options).list()) {
    fmt::print("{}\t{}\n", kernel.release, kernel.image.native());
  }
}

void fetch(const KernelsOptions& options) {
  boot::KernelFetcher fetcher(cache_of(options), tell, interruption().token());
  fetcher.update();
  for (const std::string& version : options.versions) {
    const boot::Kernel kernel = fetcher.fetch(version, options.flavour);
    fmt::print("{}\t{}\n", kernel.release, kernel.image.native());
  }
}

void path(const KernelsOptions& options) {
  for (const std::string& version : options.versions) {
    fmt::print("{}\n", cache_of(options).resolve(version).image.native());
  }
}

}  // namespace

void add_kernels(CLI::App& app, ExitStatus& status) {
  const auto options = std::make_shared<KernelsOptions>();
  CLI::App* kernels = app.add_subcommand("kernels", "List and fetch kernels that can be booted");
  kernels->require_subcommand(1);
  kernels->add_option("--cache", options->cache,
                      "The folder of kernels (default: msgring/kernels in the user's cache)");
  const auto add = [&](const char* name, const char* help, void (*run)(const KernelsOptions&)) {
    CLI::App* command = kernels->add_subcommand(name, help);
    command->fallthrough();
    command->callback([options, run, &status] {
      run(*options);
      status = ExitStatus::kOk;
    });
    return command;
  };
  CLI::App* list_command = add("list", "Kernels in the cache, oldest first", list);
  list_command->add_flag("--available", options->available,
                         "What the system's package mirror serves instead");
  CLI::App* fetch_command =
      add("fetch", "Fetch the newest kernel of each version from the package mirror", fetch);
  CLI::App* path_command =
      add("path", "The image of the newest cached kernel of each version", path);
  for (CLI::App* command : {list_command, fetch_command}) {
    command
        ->add_option("--flavour", options->flavour, "The distribution's name for a configuration")
        ->capture_default_str();
  }
  for (CLI::App* command : {fetch_command, path_command}) {
    command->add_option("version", options->versions, "A version such as 6.12 or 7.1.3")
        ->required();
  }
}

}  // namespace msgring::cli
