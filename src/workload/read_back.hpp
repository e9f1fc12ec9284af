// SPDX-License-Identifier: MIT
// Reads a table's slots back as fixed files: the proof that an install installed that file there.
#pragma once

#include "msgring/uring/ring.hpp"
#include "workload/checks.hpp"

namespace msgring::workload {

/// Reads one byte through every slot of `ring`'s table, a ring's worth of reads at a time, and
/// checks it against `contents` (one entry per slot). Untimed; the ring must be idle.
void read_back_table(uring::Ring& ring, const SlotContents& contents, std::uint32_t round,
                     std::int64_t timeout_s, CheckReport& report);

}  // namespace msgring::workload
