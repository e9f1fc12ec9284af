// SPDX-License-Identifier: MIT
// `msgring trace`: how often a workload calls which kernel functions, here or in a fresh boot.
#pragma once

#include <CLI/App.hpp>

#include "msgring/error.hpp"

namespace msgring::cli {

/// Adds the subcommand; when it is chosen, `status` says how it went.
void add_trace(CLI::App& app, ExitStatus& status);

/// Throws Error (kEnvironment) in a build that had no libtracefs.
void demand_trace();

}  // namespace msgring::cli
