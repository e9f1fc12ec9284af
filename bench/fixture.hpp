// SPDX-License-Identifier: MIT
// The Google Benchmark fixture around a workload: a repetition is a round.
#pragma once

#include "msgring/workload/workload.hpp"
#include "session.hpp"

namespace msgring::bench {

/// Registers one benchmark for `entry` with `shape`, to run under `session.conduct` and to be
/// recorded in `session`, which must outlive the run.
void register_benchmark(const workload::Entry& entry, const workload::Options& shape,
                        Session& session);

}  // namespace msgring::bench
