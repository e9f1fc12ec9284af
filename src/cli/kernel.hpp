// SPDX-License-Identifier: MIT
// `msgring kernel build`: one kernel from a git tree.
#pragma once

#include <CLI/App.hpp>

#include "msgring/error.hpp"

namespace msgring::cli {

/// Adds the subcommand; when it is chosen, `status` says how it went.
void add_kernel(CLI::App& app, ExitStatus& status);

}  // namespace msgring::cli
