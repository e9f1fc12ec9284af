// SPDX-License-Identifier: MIT
// The file that every fd-passing workload passes, and whose bytes prove which file a slot holds.
#pragma once

#include <cstdint>

#include "msgring/host/fd.hpp"

namespace msgring::workload {

constexpr std::uint32_t kSentinelBytes = 4096;

/// Byte `offset` of the sentinel file, offset below kSentinelBytes.
constexpr std::uint8_t sentinel_byte(std::uint32_t offset) noexcept {
  return static_cast<std::uint8_t>((131U * offset + 17U) % 256U);
}

/// A memfd of kSentinelBytes with the sentinel pattern. Throws std::system_error.
host::FileDescriptor make_sentinel_file();

}  // namespace msgring::workload
