// SPDX-License-Identifier: MIT
// A whole run: machine, rounds, point, summary.
#pragma once

#include <functional>
#include <string>

#include "msgring/error.hpp"
#include "options.hpp"
#include "session.hpp"

namespace msgring::bench {

/// What a run gave.
struct Measurement {
  std::string point;    ///< the point file's text; empty if nothing ran
  std::string summary;  ///< for a person
  ExitStatus status = ExitStatus::kOk;
};

/// How far a run is: the machine is idle, all rounds are over.
enum class MeasurePhase { kSettled, kDone };
using MeasureObserver = std::function<void(MeasurePhase)>;

/// Diagnoses, pins, settles, measures and checks. Throws Error (environment) if this machine cannot
/// do it; failed checks are in the result. `observer` is never called between two rounds.
Measurement measure(
    const BenchOptions& options, const MeasureObserver& observer = [](MeasurePhase) {});

/// measure() with the point written to `options.out`, whose place is proved before the first round.
/// Prints the summary. Returns what the process has to say.
ExitStatus measure_to_file(const BenchOptions& options);

}  // namespace msgring::bench
