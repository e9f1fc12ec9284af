// SPDX-License-Identifier: MIT
// Where the build found no libtracefs: the subcommand is there, and says why it can do nothing.
#include <CLI/CLI.hpp>

#include "cli/trace.hpp"

namespace msgring::cli {

void demand_trace() {
  throw Error(ExitStatus::kEnvironment, "trace: this msgring was built without libtracefs",
              "install libtracefs and libtraceevent with their headers (Debian, Ubuntu: "
              "libtracefs-dev, libtraceevent-dev), and build it again");
}

void add_trace(CLI::App& app, ExitStatus& /*status*/) {
  CLI::App* command =
      app.add_subcommand("trace", "Left out of this build, which found no libtracefs");
  command->allow_extras();
  command->callback(demand_trace);
}

}  // namespace msgring::cli
