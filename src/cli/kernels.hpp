// SPDX-License-Identifier: MIT
// `msgring kernels`: what can be booted, and how to get more.
#pragma once

#include <CLI/App.hpp>

#include "msgring/error.hpp"

namespace msgring::cli {

/// Adds the subcommand; when it is chosen, `status` says how it went.
void add_kernels(CLI::App& app, ExitStatus& status);

}  // namespace msgring::cli
