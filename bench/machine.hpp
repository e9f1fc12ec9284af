// SPDX-License-Identifier: MIT
// The machine before a run: may it be used, and what has to be known about it.
#pragma once

#include <cstdint>
#include <vector>

#include "msgring/host/cpus.hpp"
#include "msgring/host/findings.hpp"
#include "msgring/host/limits.hpp"
#include "options.hpp"

namespace msgring::bench {

/// What was found out without changing anything.
struct Machine {
  host::CpuSets cpus;
  int cpu = 0;                          ///< the one to measure on
  host::MemlockNeed memlock;            ///< what the rings of a round need
  std::vector<host::Finding> findings;  ///< what will disturb a measurement here
};

/// Reads only: picks the CPU, and refuses with an Error what cannot work (an offline CPU, ...).
Machine inspect_machine(const BenchOptions& options);

/// Makes the process fit to measure: raises the descriptor limit, proves that io_uring, the set-up
/// flags and the clock are there, pins this thread. Throws Error (environment) with what is
/// missing.
host::NofileLimit prepare_machine(const BenchOptions& options, const Machine& machine);

/// What the limit of open files must allow: the largest table (the kernel wants that) or the rings
/// of the largest round.
std::uint64_t descriptors_needed(const BenchOptions& options);

}  // namespace msgring::bench
