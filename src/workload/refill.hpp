// SPDX-License-Identifier: MIT
// refill: a filled table is emptied by register calls over contiguous spans, then filled again.
#pragma once

#include "msgring/workload/workload.hpp"

namespace msgring::workload {

extern const Entry kRefill;

}  // namespace msgring::workload
