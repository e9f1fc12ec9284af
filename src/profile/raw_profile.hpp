// SPDX-License-Identifier: MIT
// The plugin's raw profile, read back (see plugin/profiler.hpp for its lines).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "profile/plugin/call_tree.hpp"

namespace msgring::profile {

struct RawPhase {
  std::uint32_t number = 0;
  std::uint32_t root = 0;
  std::uint32_t rounds = 0;
};

struct RawBlock {
  bool known = false;
  std::uint64_t start = 0;
  std::vector<std::uint8_t> lengths;
};

/// `times` executions of `count` instructions of `block`, from its instruction `first` on.
struct RawCount {
  std::uint32_t node = 0;
  std::uint32_t block = 0;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  std::int64_t times = 0;
};

struct RawProfile {
  std::vector<RawPhase> phases;
  std::vector<TreeNode> nodes;
  std::vector<RawBlock> blocks;  ///< by number
  std::vector<RawCount> counts;
  std::vector<std::string> troubles;
};

/// Throws Error (kInvalid) for anything but a whole raw profile whose numbers fit each other.
RawProfile parse_raw_profile(std::string_view text);

}  // namespace msgring::profile
