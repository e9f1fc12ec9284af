// SPDX-License-Identifier: MIT
// msgring_bench as the whole user space of a fresh boot.
#pragma once

namespace msgring::bench {

/// Measures as the guest's configuration says, sends the point to the host, powers the machine off.
/// Only where boot::is_guest_init() holds.
[[noreturn]] void measure_as_guest();

}  // namespace msgring::bench
