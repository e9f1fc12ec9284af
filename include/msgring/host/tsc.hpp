// SPDX-License-Identifier: MIT
// Is the time-stamp counter an instruction counter here?
#pragma once

#include <string>

namespace msgring::host {

/// What a functional trial of the time-stamp counter found.
struct TscTrial {
  bool counts_instructions;  ///< one tick was one instruction, exactly, in most repetitions
  std::string evidence;      ///< one line for a person: hypervisor, ticks seen, ticks expected
};

/// Runs a loop of known length between two `rdtsc` several times and compares ticks with
/// instructions. True only under an emulator that counts them (QEMU `-icount shift=0`).
TscTrial try_tsc();

}  // namespace msgring::host
