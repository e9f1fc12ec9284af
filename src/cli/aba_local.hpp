// SPDX-License-Identifier: MIT
// What a run on this machine needs to go on after a reboot.
#pragma once

#include "cli/aba_options.hpp"
#include "msgring/boot/local.hpp"
#include "msgring/boot/run.hpp"

namespace msgring::cli {

/// With the command line that goes on: --resume, the folder, and all that the report depends on.
boot::LocalSetup local_setup(const AbaOptions& options, const boot::RunSetup& setup,
                             boot::LocalStart start);

}  // namespace msgring::cli
