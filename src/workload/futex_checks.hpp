// SPDX-License-Identifier: MIT
// The check of futex waits that must fail to arm: a pure function.
#pragma once

#include <cstdint>
#include <span>

#include "msgring/workload/check_report.hpp"

namespace msgring::workload {

/// Every wait must have failed with EAGAIN, since the word never has the expected value, and nobody
/// may be waiting afterwards: `woken` is the result of waking everybody. kNoResult is counted
/// elsewhere.
void check_arms(std::span<const std::int32_t> results, long woken, CheckReport& report);

}  // namespace msgring::workload
