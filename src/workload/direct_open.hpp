// SPDX-License-Identifier: MIT
// direct_open: OPENAT into slots of the ring's own table, another way to the same install.
#pragma once

#include "msgring/workload/workload.hpp"

namespace msgring::workload {

extern const Entry kDirectOpen;

}  // namespace msgring::workload
