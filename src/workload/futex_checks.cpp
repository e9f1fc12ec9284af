// SPDX-License-Identifier: MIT
#include "workload/futex_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include "workload/checks.hpp"

namespace msgring::workload {

void check_arms(std::span<const std::int32_t> results, long woken, CheckReport& report) {
  report.performed(Check::kArm);
  for (std::size_t number = 0; number < results.size(); ++number) {
    const std::int32_t result = results[number];
    if (result != -EAGAIN && result != kNoResult) {
      report.fail(Check::kArm,
                  fmt::format("wait {}: {} where EAGAIN is due", number, result_text(result)));
    }
  }
  if (woken != 0) {
    report.fail(Check::kArm, fmt::format("{} waits were still armed", woken),
                static_cast<std::uint64_t>(std::max(woken, 1L)));
  }
}

}  // namespace msgring::workload
