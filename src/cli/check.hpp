// SPDX-License-Identifier: MIT
// `msgring check`: may these points be used as evidence, is this mail fit to be sent?
#pragma once

#include <CLI/App.hpp>

#include "msgring/error.hpp"

namespace msgring::cli {

/// Adds the subcommand; when it is chosen, `status` says how it went.
void add_check(CLI::App& app, ExitStatus& status);

}  // namespace msgring::cli
