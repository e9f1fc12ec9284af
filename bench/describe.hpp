// SPDX-License-Identifier: MIT
// --describe and --list: what would be done, without doing it.
#pragma once

#include <string>

#include "msgring/workload/workload.hpp"
#include "options.hpp"

namespace msgring::bench {

/// The plan of a run in full: machine, rings, rounds, checks, output. Reads the machine, and
/// neither sets up a ring, nor raises a limit, nor pins, nor writes.
std::string describe_text(const BenchOptions& options);

/// One line per workload with its phases and minimum kernel.
std::string list_text();

/// "fill:install", or "register:table,fill:install,interval:round": phase and noun of each phase,
/// and of the interval where it is a figure of its own.
std::string phases_text(const workload::Entry& entry);

}  // namespace msgring::bench
