// SPDX-License-Identifier: MIT
// The Google Benchmark fixture around a workload: a repetition is a round.
#pragma once

#include "plan.hpp"
#include "session.hpp"

namespace msgring::bench {

/// Registers one benchmark, to run under `session.conduct` and to be recorded in `session`, which
/// must outlive the run.
void register_benchmark(const Planned& planned, Session& session);

}  // namespace msgring::bench
