// SPDX-License-Identifier: MIT
// What a person sees after a run.
#pragma once

#include <string>

#include "options.hpp"
#include "reporter.hpp"
#include "session.hpp"

namespace msgring::bench {

/// The machine in two lines, for the top of the summary.
struct MachineLines {
  std::string kernel;  ///< release and boot
  std::string cpu;     ///< model, pinned CPU, clock source
};

/// The summary: machine, one line per benchmark and phase with mean, median, CV and n, the checks;
/// every round's figures if asked for. Ends in a line feed.
std::string summarize(const BenchOptions& options, const MachineLines& machine,
                      const Session& session, const Aggregates& aggregates);

}  // namespace msgring::bench
