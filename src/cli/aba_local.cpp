// SPDX-License-Identifier: MIT
#include "cli/aba_local.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace msgring::cli {
namespace {

std::vector<std::string> going_on(const AbaOptions& options, const boot::RunSetup& setup) {
  std::vector<std::string> words = {"--resume",
                                    "--out",
                                    setup.folder.native(),
                                    "--bench",
                                    setup.bench_program.native(),
                                    "--threshold",
                                    fmt::format("{}", options.threshold_percent)};
  if (!options.report.primary.empty()) {
    words.insert(words.end(), {"--primary", options.report.primary});
  }
  if (!options.report.fail_on.empty()) {
    words.insert(words.end(),
                 {"--fail-on", fmt::format("{}", fmt::join(options.report.fail_on, ","))});
  }
  if (!options.report.introduced.empty()) {
    words.insert(words.end(), {"--introduced", options.report.introduced});
  }
  const std::vector<std::string> folders = options.local.words();
  words.insert(words.end(), folders.begin(), folders.end());
  return words;
}

}  // namespace

boot::LocalSetup local_setup(const AbaOptions& options, const boot::RunSetup& setup,
                             boot::LocalStart start) {
  boot::LocalSetup local;
  local.store = options.local.store();
  local.unit = options.local.unit();
  local.start = start;
  local.folder = setup.folder;
  local.program = std::filesystem::read_symlink("/proc/self/exe");
  local.arguments = going_on(options, setup);
  local.resume_options = options.local.words();
  return local;
}

}  // namespace msgring::cli
