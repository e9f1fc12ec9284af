// SPDX-License-Identifier: MIT
// message_data: IORING_MSG_DATA to an ordinary target ring, and to one with deferred task work that
// enters the kernel itself. The controls: what a change of fixed files must not change.
#pragma once

#include "msgring/workload/workload.hpp"

namespace msgring::workload {

extern const Entry kMessageData;
extern const Entry kMessageDataDeferred;

}  // namespace msgring::workload
