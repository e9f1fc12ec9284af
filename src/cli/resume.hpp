// SPDX-License-Identifier: MIT
// `msgring resume`: goes on with this machine's run after a reboot.
#pragma once

#include <CLI/App.hpp>

#include "msgring/error.hpp"

namespace msgring::cli {

/// Adds the subcommand; when it is chosen, `status` says how it went.
void add_resume(CLI::App& app, ExitStatus& status);

}  // namespace msgring::cli
