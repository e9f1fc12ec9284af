// SPDX-License-Identifier: MIT
// What identifies a run: its own arguments and binary, the build, the libraries.
#pragma once

#include <string>
#include <vector>

#include "msgring/host/facts.hpp"
#include "options.hpp"
#include "plan.hpp"

namespace msgring::bench {

/// "0.1.0".
std::string version();

/// For `--version`.
std::string version_text();

/// The keys msgring.*, build.* and lib.* that are known before the first round.
host::Facts identity_facts(const BenchOptions& options, const std::vector<Planned>& plan);

}  // namespace msgring::bench
