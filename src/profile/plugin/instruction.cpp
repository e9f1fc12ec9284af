// SPDX-License-Identifier: MIT
#include "profile/plugin/instruction.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

namespace msgring::profile {
namespace {

using Bytes = std::span<const std::uint8_t>;

bool is_repeat(std::uint8_t byte) { return byte == 0xF2 || byte == 0xF3; }

bool is_prefix(std::uint8_t byte) {
  constexpr std::array<std::uint8_t, 11> kLegacy{0x26, 0x2E, 0x36, 0x3E, 0x64, 0x65,
                                                 0x66, 0x67, 0xF0, 0xF2, 0xF3};
  return std::find(kLegacy.begin(), kLegacy.end(), byte) != kLegacy.end();
}

/// INS, OUTS, MOVS, CMPS, STOS, LODS, SCAS.
bool is_string_operation(std::uint8_t opcode) {
  return (opcode >= 0x6C && opcode <= 0x6F) || (opcode >= 0xA4 && opcode <= 0xA7) ||
         (opcode >= 0xAA && opcode <= 0xAF);
}

/// The destination of a relative instruction whose displacement is its last `size` bytes.
std::uint64_t relative_target(Bytes bytes, std::uint64_t address, std::size_t size) {
  std::int64_t displacement = 0;
  if (size == 1) {
    constexpr std::int64_t kRange = 0x100;
    displacement = bytes.back() < kRange / 2 ? bytes.back() : bytes.back() - kRange;
  } else if (bytes.size() >= 4) {
    std::int32_t wide = 0;
    std::memcpy(&wide, bytes.data() + bytes.size() - 4, 4);
    displacement = wide;
  }
  return address + bytes.size() + static_cast<std::uint64_t>(displacement);
}

Flow two_byte_flow(std::uint8_t opcode) {
  if (opcode >= 0x80 && opcode <= 0x8F) {
    return Flow::kBranch;
  }
  if (opcode == 0x05) {
    return Flow::kSystemCall;
  }
  return opcode == 0x07 ? Flow::kSystemReturn : Flow::kPlain;
}

/// Group 5 (opcode FF): the operation is in the ModRM byte's middle bits.
Flow group_five_flow(std::uint8_t modrm) {
  const unsigned operation = (modrm >> 3U) & 7U;
  if (operation == 2) {
    return Flow::kIndirectCall;
  }
  return operation == 4 ? Flow::kIndirectJump : Flow::kPlain;
}

Instruction one_byte(Bytes bytes, std::size_t at, std::uint64_t address, bool repeated) {
  const std::uint8_t opcode = bytes[at];
  if ((opcode >= 0x70 && opcode <= 0x7F) || (opcode >= 0xE0 && opcode <= 0xE3)) {
    return {Flow::kBranch, relative_target(bytes, address, 1)};
  }
  if (repeated && is_string_operation(opcode)) {
    return {Flow::kRepeat, 0};
  }
  switch (opcode) {
    case 0xE8:
      return {Flow::kCall, relative_target(bytes, address, 4)};
    case 0xE9:
      return {Flow::kJump, relative_target(bytes, address, 4)};
    case 0xEB:
      return {Flow::kJump, relative_target(bytes, address, 1)};
    case 0xC2:
    case 0xC3:
      return {Flow::kReturn, 0};
    case 0xCF:
      return {Flow::kInterruptReturn, 0};
    case 0xFF:
      return {at + 1 < bytes.size() ? group_five_flow(bytes[at + 1]) : Flow::kPlain, 0};
    default:
      return {};
  }
}

bool starts_with(Bytes bytes, std::initializer_list<std::uint8_t> prefix) {
  return bytes.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), bytes.begin());
}

}  // namespace

Instruction decode(Bytes bytes, std::uint64_t address) noexcept {
  std::size_t at = 0;
  bool repeated = false;
  while (at < bytes.size() && is_prefix(bytes[at])) {
    repeated = repeated || is_repeat(bytes[at]);
    ++at;
  }
  if (at < bytes.size() && (bytes[at] & 0xF0U) == 0x40) {  // REX
    ++at;
  }
  if (at >= bytes.size()) {
    return {};
  }
  if (bytes[at] != 0x0F) {
    return one_byte(bytes, at, address, repeated);
  }
  if (at + 1 >= bytes.size()) {
    return {};
  }
  const Flow flow = two_byte_flow(bytes[at + 1]);
  return {flow, flow == Flow::kBranch ? relative_target(bytes, address, 4) : 0};
}

bool begins_function(Bytes bytes) noexcept {
  const bool landing_pad = starts_with(bytes, {0xF3, 0x0F, 0x1E, 0xFA}) ||
                           starts_with(bytes, {0x66, 0x0F, 0x1F, 0x00}) ||
                           starts_with(bytes, {0x0F, 0x1F, 0x40, 0xD6});
  const Bytes rest = landing_pad ? bytes.subspan(4) : bytes;
  return starts_with(rest, {0x0F, 0x1F, 0x44, 0x00, 0x00}) ||
         (landing_pad && starts_with(rest, {0xE8}));
}

std::optional<Mark> decode_mark(Bytes bytes) noexcept {
  // 0f 1f 80, then the phase, 'B' or 'E', 'R', 'M'.
  if (bytes.size() != 7 || !starts_with(bytes, {0x0F, 0x1F, 0x80}) || bytes[5] != 'R' ||
      bytes[6] != 'M') {
    return std::nullopt;
  }
  if (bytes[4] != 'B' && bytes[4] != 'E') {
    return std::nullopt;
  }
  return Mark{bytes[4] == 'B' ? MarkKind::kBegin : MarkKind::kEnd, bytes[3]};
}

}  // namespace msgring::profile
