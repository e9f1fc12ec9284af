// SPDX-License-Identifier: MIT
// replace: SEND_FD into slots that hold another file already, which queues its removal.
#pragma once

#include "msgring/workload/workload.hpp"

namespace msgring::workload {

extern const Entry kReplace;

}  // namespace msgring::workload
