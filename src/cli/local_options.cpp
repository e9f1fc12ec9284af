// SPDX-License-Identifier: MIT
#include "cli/local_options.hpp"

#include <unistd.h>

#include "msgring/error.hpp"

namespace msgring::cli {

std::vector<std::string> LocalOptions::words() const {
  const LocalOptions usual;
  std::vector<std::string> words;
  if (state != usual.state) {
    words.insert(words.end(), {"--state", state});
  }
  if (units != usual.units) {
    words.insert(words.end(), {"--units", units});
  }
  return words;
}

void LocalOptions::demand_root() const {
  const LocalOptions usual;
  if (state == usual.state && ::geteuid() != 0) {
    throw Error(ExitStatus::kEnvironment, "not root, and this run is the machine's",
                "run it with sudo");
  }
}

void add_local_options(CLI::App& command, LocalOptions& options) {
  command.add_option("--state", options.state, "Folder of the state of --driver local")->group("");
  command.add_option("--units", options.units, "Folder of the unit of --driver local")->group("");
}

}  // namespace msgring::cli
