// SPDX-License-Identifier: MIT
// What `--tails` costs.
#pragma once

#include "msgring/host/clock.hpp"

namespace msgring::workload {

/// What the two clock readings around a batch add to it, in ticks of `clock`: the median of a
/// thousand trials.
double batch_clock_cost(host::ClockKind clock);

}  // namespace msgring::workload
