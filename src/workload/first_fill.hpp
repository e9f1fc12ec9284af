// SPDX-License-Identifier: MIT
// first_fill: the reported shape. A fresh target ring with an empty sparse table, filled once.
#pragma once

#include "msgring/workload/workload.hpp"

namespace msgring::workload {

extern const Entry kFirstFill;

}  // namespace msgring::workload
