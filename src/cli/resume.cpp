// SPDX-License-Identifier: MIT
#include "cli/resume.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/aba.hpp"
#include "cli/aba_options.hpp"
#include "cli/local_options.hpp"
#include "msgring/boot/local.hpp"

namespace msgring::cli {
namespace {

/// The command line with which the run goes on.
AbaOptions options_of(const boot::LocalState& state) {
  CLI::App command;
  AbaOptions options;
  add_aba_options(command, options);
  std::vector<std::string> words = state.arguments;
  std::reverse(words.begin(), words.end());  // as CLI11 takes them
  try {
    command.parse(words);
  } catch (const CLI::ParseError& error) {
    throw Error(ExitStatus::kInvalid, fmt::format("the state's arguments: {}", error.what()),
                "was the state written by another msgring? msgring abort removes it");
  }
  return options;
}

ExitStatus resume(const LocalOptions& options) {
  options.demand_root();
  return boot::resume_local_run(options.store(), options.unit(), [](const boot::LocalState& state) {
    return run_aba(options_of(state), boot::LocalStart::kAfterReboot);
  });
}

}  // namespace

void add_resume(CLI::App& app, ExitStatus& status) {
  const auto options = std::make_shared<LocalOptions>();
  CLI::App* command = app.add_subcommand(
      "resume", "Go on with this machine's run (what its systemd unit starts after each reboot)");
  add_local_options(*command, *options);
  command->callback([options, &status] {
    try {
      status = resume(*options);
    } catch (const boot::Rebooting& rebooting) {
      fmt::print("msgring resume: {}\n", rebooting.what());
      status = ExitStatus::kOk;
    }
  });
}

}  // namespace msgring::cli
