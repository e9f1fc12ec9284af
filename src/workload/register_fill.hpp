// SPDX-License-Identifier: MIT
// register_fill: a new ring gets its sparse table in the timed region, and then M of its N slots
// filled.
#pragma once

#include "msgring/workload/workload.hpp"

namespace msgring::workload {

extern const Entry kRegisterFill;

}  // namespace msgring::workload
