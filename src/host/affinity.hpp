// SPDX-License-Identifier: MIT
// The affinity mask of the calling thread, as the kernel keeps it.
#pragma once

#include "msgring/host/cpus.hpp"

namespace msgring::host {

/// More CPUs than any kernel is built for (NR_CPUS is at most 8192 so far).
constexpr int kMostCpus = 16384;

/// The mask of the calling thread. Throws std::system_error.
CpuList this_thread_affinity();

/// Asks for a mask. Returns 0 or an errno value (EINVAL: none of `cpus` is online and allowed).
int set_this_thread_affinity(const CpuList& cpus);

/// What the kernel grants when all of `cpus` are asked for; the mask is afterwards as before.
CpuList grantable_affinity(const CpuList& cpus);

}  // namespace msgring::host
