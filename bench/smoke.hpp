// SPDX-License-Identifier: MIT
// --smoke: does everything work here? One small round with all checks, no clock.
#pragma once

#include "msgring/error.hpp"
#include "options.hpp"

namespace msgring::bench {

/// Runs one round of 256 slots of each workload and prints how it went. kInvalid if a check failed.
ExitStatus smoke(const BenchOptions& options);

}  // namespace msgring::bench
