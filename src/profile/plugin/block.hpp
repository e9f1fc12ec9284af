// SPDX-License-Identifier: MIT
// Block: a run of guest instructions that QEMU translated together.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/plugin/instruction.hpp"

namespace msgring::profile {

/// Straight-line code. Lives as long as the profiler: translated code points to it.
struct Block {
  std::uint32_t id = 0;
  std::uint64_t start = 0;            ///< address of the first instruction
  std::uint64_t end = 0;              ///< address behind the last one
  std::vector<std::uint8_t> lengths;  ///< bytes of each instruction
  Instruction last;                   ///< how it ends
  bool begins_function = false;

  std::uint32_t count() const noexcept { return static_cast<std::uint32_t>(lengths.size()); }

  /// Address of instruction `index`; `end` for one past the last.
  std::uint64_t address_of(std::uint32_t index) const noexcept {
    std::uint64_t address = start;
    for (std::uint32_t i = 0; i < index; ++i) {
      address += lengths[i];
    }
    return address;
  }
};

/// Is it the same code at the same place?
inline bool same_code(const Block& left, const Block& right) noexcept {
  return left.start == right.start && left.lengths == right.lengths &&
         left.last.flow == right.last.flow && left.last.target == right.last.target &&
         left.begins_function == right.begins_function;
}

}  // namespace msgring::profile
