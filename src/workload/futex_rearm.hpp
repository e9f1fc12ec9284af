// SPDX-License-Identifier: MIT
// futex_rearm: IORING_OP_FUTEX_WAIT on a word that never has the expected value: each must fail.
#pragma once

#include "msgring/workload/workload.hpp"

namespace msgring::workload {

extern const Entry kFutexRearm;

}  // namespace msgring::workload
