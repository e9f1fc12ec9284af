// SPDX-License-Identifier: MIT
// `msgring bisect-step`: one kernel against the references, told as `git bisect run` wants it.
#pragma once

#include <CLI/App.hpp>

#include "msgring/error.hpp"

namespace msgring::cli {

inline constexpr const char* kBisectStep = "bisect-step";

/// What git-bisect(1) understands: 1 to 127 but 125 is bad, more than 127 ends the whole bisect. So
/// everything that says nothing about the kernel, a mistyped option too, has to be `kAbort`.
enum class BisectExit { kGood = 0, kBad = 1, kSkip = 125, kAbort = 128 };

/// Adds the subcommand; when it is chosen, `status` says the answer.
void add_bisect_step(CLI::App& app, ExitStatus& status);

}  // namespace msgring::cli
