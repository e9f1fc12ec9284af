// SPDX-License-Identifier: MIT
// cache: first fills of new rings (cold) against fills of rings that filled a table before (warm).
#pragma once

#include "msgring/workload/workload.hpp"

namespace msgring::workload {

extern const Entry kCache;

}  // namespace msgring::workload
