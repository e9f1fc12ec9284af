// SPDX-License-Identifier: MIT
#include "workload/message_checks.hpp"

#include <fmt/format.h>

#include "workload/checks.hpp"

namespace msgring::workload {

void check_messages(std::span<const std::int32_t> sent, std::span<const std::int32_t> received,
                    std::uint32_t round, CheckReport& report) {
  report.performed(Check::kSourceResult);
  report.performed(Check::kPayload);
  for (std::uint32_t number = 0; number < sent.size(); ++number) {
    if (sent[number] != 0 && sent[number] != kNoResult) {
      report.fail(Check::kSourceResult,
                  fmt::format("message {}: {} where 0 is due", number, result_text(sent[number])));
    }
    const auto due = static_cast<std::int32_t>(payload_of(number, round));
    if (received[number] != due && received[number] != kNoResult) {
      report.fail(Check::kPayload, fmt::format("message {}: {} arrived, {} was sent", number,
                                               received[number], due));
    }
  }
}

}  // namespace msgring::workload
