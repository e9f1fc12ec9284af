// SPDX-License-Identifier: MIT
// What the damage tests compare: the names of the checks that failed.
#pragma once

#include <string>
#include <vector>

#include "msgring/workload/check_report.hpp"

namespace msgring::workload {

/// The checks with failures, by name.
inline std::vector<std::string> failed(const CheckReport& report) {
  std::vector<std::string> names;
  for (std::size_t index = 0; index < kCheckCount; ++index) {
    const auto check = static_cast<Check>(index);
    if (report.failures(check) != 0) {
      names.emplace_back(check_name(check));
    }
  }
  return names;
}

}  // namespace msgring::workload
