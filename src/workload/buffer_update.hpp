// SPDX-License-Identifier: MIT
// buffer_update: one slot per register call at random places of a full table of registered buffers.
// (There is no operation for it, as there is for files.)
#pragma once

#include "msgring/workload/workload.hpp"

namespace msgring::workload {

extern const Entry kBufferUpdate;

}  // namespace msgring::workload
