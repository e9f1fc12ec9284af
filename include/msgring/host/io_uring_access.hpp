// SPDX-License-Identifier: MIT
// Why the kernel refuses io_uring here, and what to do about it.
#pragma once

#include "msgring/error.hpp"
#include "msgring/host/root.hpp"

namespace msgring::host {

/// The Error(kEnvironment) for an io_uring_setup(2) that failed with `error`, a positive errno
/// value. Reads the sysctls, /proc/self/status, the LSM list and the kernel configuration before
/// it blames any of them.
Error explain_io_uring_setup(int error, const Root& root);

}  // namespace msgring::host
