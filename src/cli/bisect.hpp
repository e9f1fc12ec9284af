// SPDX-License-Identifier: MIT
// `msgring bisect`: which release, or which commit, brought a slowdown.
#pragma once

#include <CLI/App.hpp>

#include "msgring/error.hpp"

namespace msgring::cli {

/// Adds the subcommand; when it is chosen, `status` says how it went.
void add_bisect(CLI::App& app, ExitStatus& status);

}  // namespace msgring::cli
