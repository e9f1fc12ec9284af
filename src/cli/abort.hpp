// SPDX-License-Identifier: MIT
// `msgring abort`: ends this machine's run.
#pragma once

#include <CLI/App.hpp>

#include "msgring/error.hpp"

namespace msgring::cli {

/// Adds the subcommand; when it is chosen, `status` says how it went.
void add_abort(CLI::App& app, ExitStatus& status);

}  // namespace msgring::cli
