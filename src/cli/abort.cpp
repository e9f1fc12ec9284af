// SPDX-License-Identifier: MIT
#include "cli/abort.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/local_options.hpp"
#include "msgring/boot/local.hpp"

namespace msgring::cli {

void add_abort(CLI::App& app, ExitStatus& status) {
  const auto options = std::make_shared<LocalOptions>();
  CLI::App* command =
      app.add_subcommand("abort", "End this machine's run: its folder is kept, nothing is armed");
  add_local_options(*command, *options);
  command->callback([options, &status] {
    options->demand_root();
    for (const std::string& line : boot::abort_local_run(options->store(), options->unit())) {
      fmt::print("msgring abort: {}\n", line);
    }
    status = ExitStatus::kOk;
  });
}

}  // namespace msgring::cli
