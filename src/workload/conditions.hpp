// SPDX-License-Identifier: MIT
// The checks of what must stay as it was during a round, whatever the workload.
#pragma once

#include <string>

#include "msgring/workload/check_report.hpp"

namespace msgring::workload {

/// The round must begin and end on the pinned CPU.
void check_cpu(int pinned, int before, int after, CheckReport& report);

/// The kernel must not have changed its clock source.
void check_clock_source(const std::string& before, const std::string& after, CheckReport& report);

}  // namespace msgring::workload
