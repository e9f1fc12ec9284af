// SPDX-License-Identifier: MIT
// `msgring aba`: a sandwich of fresh boots, compared and reported, in one command.
#pragma once

#include <CLI/App.hpp>

#include "cli/aba_options.hpp"
#include "msgring/boot/local.hpp"
#include "msgring/error.hpp"

namespace msgring::cli {

/// Adds the subcommand; when it is chosen, `status` says how it went.
void add_aba(CLI::App& app, ExitStatus& status);

/// Carries it out. Throws boot::Rebooting where this machine is about to reboot.
ExitStatus run_aba(const AbaOptions& options, boot::LocalStart start);

}  // namespace msgring::cli
