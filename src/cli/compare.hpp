// SPDX-License-Identifier: MIT
// `msgring compare`: from points to a verdict and a report.
#pragma once

#include <CLI/App.hpp>

#include "msgring/error.hpp"

namespace msgring::cli {

/// Adds the subcommand; when it is chosen, `status` says how it went.
void add_compare(CLI::App& app, ExitStatus& status);

}  // namespace msgring::cli
