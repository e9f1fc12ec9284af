// SPDX-License-Identifier: MIT
// `msgring explain`: which kernel functions the difference of two kernels went to.
#pragma once

#include <CLI/App.hpp>

#include "msgring/error.hpp"

namespace msgring::cli {

/// Adds the subcommand; when it is chosen, `status` says how it went.
void add_explain(CLI::App& app, ExitStatus& status);

}  // namespace msgring::cli
