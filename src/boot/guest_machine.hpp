// SPDX-License-Identifier: MIT
// What a guest sets up for itself before the benchmark runs.
#pragma once

#include <filesystem>

#include "msgring/boot/guest.hpp"
#include "msgring/host/fd.hpp"

namespace msgring::boot {

/// /proc, /sys, /dev must mount, unless they are; debugfs and tracefs may be missing. Throws
/// std::system_error.
void mount_guest_folders();

/// Makes room for the largest fixed-file table: the hard descriptor limit and fs.nr_open at
/// 2,097,152; locked memory without limit. The soft descriptor limit is left to the benchmark.
void raise_guest_limits();

bool has_guest_config();
GuestConfig read_guest_config();

/// The device file of the virtio port called kResultPortName below `sys` (/sys on a machine), as
/// "vport1p1"; empty when there is none.
std::filesystem::path find_virtio_port(const std::filesystem::path& sys);

/// The virtio port, else the second serial port. Throws Error that says what the kernel lacks.
host::FileDescriptor open_result_port();

}  // namespace msgring::boot
