// SPDX-License-Identifier: MIT
// The files that the workloads put into slots, and whose bytes prove which one a slot holds.
#pragma once

#include <cstdint>

#include "msgring/host/fd.hpp"

namespace msgring::workload {

constexpr std::uint32_t kSentinelBytes = 4096;

/// Byte `offset` (below kSentinelBytes) of sentinel file `number`. Number 0 is the report's; any
/// two of the files 0 to 255 differ in every byte, 59 being odd.
constexpr std::uint8_t sentinel_byte(std::uint32_t offset, std::uint32_t number = 0) noexcept {
  return static_cast<std::uint8_t>((131U * offset + 17U + 59U * number) % 256U);
}

/// Makes an open, empty file sentinel file `number`. Throws std::system_error.
void write_sentinel(const host::FileDescriptor& file, std::uint32_t number);

/// A memfd of kSentinelBytes with the pattern of sentinel file `number`. Throws std::system_error.
host::FileDescriptor make_sentinel_file(std::uint32_t number = 0);

}  // namespace msgring::workload
