// SPDX-License-Identifier: MIT
// Each virtual CPU on a host CPU of its own.
#pragma once

#include <sys/types.h>

#include <string>

namespace msgring::boot {

/// Pins the threads that QEMU names "CPU n/KVM" (debug-threads=on) to the n-th CPU that this
/// process may use, counted from the last, since the first serves most interrupts. Waits up to two
/// seconds for them. Returns what was done for the record: "0:3 1:2", or "unpinned: why".
std::string pin_vcpus(pid_t qemu);

}  // namespace msgring::boot
