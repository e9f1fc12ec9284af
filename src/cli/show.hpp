// SPDX-License-Identifier: MIT
// `msgring show`: one point, for a person.
#pragma once

#include <CLI/App.hpp>

#include "msgring/error.hpp"

namespace msgring::cli {

/// Adds the subcommand; when it is chosen, `status` says how it went.
void add_show(CLI::App& app, ExitStatus& status);

}  // namespace msgring::cli
