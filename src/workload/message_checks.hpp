// SPDX-License-Identifier: MIT
// What a message says, and the check that it arrived so: pure functions.
#pragma once

#include <cstdint>
#include <span>

#include "msgring/workload/check_report.hpp"

namespace msgring::workload {

/// The content of message `number`: not negative, unlike that of its neighbours, another in each
/// round.
constexpr std::uint32_t payload_of(std::uint32_t number, std::uint32_t round) noexcept {
  return (number * 0x9E3779B1U + round) & 0x7FFFFFFFU;  // the golden ratio spreads the numbers
}

/// Every send must have given 0, and every message must have arrived with its content; kNoResult is
/// counted elsewhere.
void check_messages(std::span<const std::int32_t> sent, std::span<const std::int32_t> received,
                    std::uint32_t round, CheckReport& report);

}  // namespace msgring::workload
