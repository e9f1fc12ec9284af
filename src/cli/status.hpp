// SPDX-License-Identifier: MIT
// `msgring status`: how far this machine's run is.
#pragma once

#include <CLI/App.hpp>

#include "msgring/error.hpp"

namespace msgring::cli {

/// Adds the subcommand; when it is chosen, `status` says how it went.
void add_status(CLI::App& app, ExitStatus& status);

}  // namespace msgring::cli
