// SPDX-License-Identifier: MIT
// `msgring doctor`: what will disturb a measurement on this machine, and what cures it.
#pragma once

#include <CLI/App.hpp>

#include "msgring/error.hpp"

namespace msgring::cli {

/// Adds the subcommand; when it is chosen, `status` says how it went: findings are no failure.
void add_doctor(CLI::App& app, ExitStatus& status);

}  // namespace msgring::cli
