// SPDX-License-Identifier: MIT
// Profiler: what is counted when, and the raw profile that comes of it.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "profile/plugin/block.hpp"
#include "profile/plugin/call_tree.hpp"

namespace msgring::profile {

/// Counts between the begin and the end mark of each phase, rounds `warmup` to `warmup + rounds`
/// (exclusive) of each phase.
class Profiler {
 public:
  Profiler(std::uint32_t warmup, std::uint32_t rounds) : warmup_(warmup), rounds_(rounds) {}

  /// Keeps `block`, or finds the one that is the same code. The result stays where it is.
  const Block& keep(Block block);

  void on_block(const Block& block, std::uint64_t executed) { tree_.on_block(block, executed); }

  /// Instruction `index` of `block` is `mark` and executes. Marks are no instructions here.
  void on_mark(Mark mark, const Block& block, std::uint32_t index, std::uint64_t executed);

  /// Has every phase that was ever begun had all its rounds?
  bool complete() const noexcept;

  /// The raw profile: lines of text, the last one "end" and the number of lines before it.
  ///
  ///     msgring-raw-profile 1
  ///     phase NUMBER NODE ROUNDS         node: the phase's root
  ///     node NUMBER PARENT ENTRY HOW CALLS
  ///     block NUMBER START LENGTHS       two hexadecimal digits an instruction
  ///     count NODE BLOCK FIRST COUNT TIMES
  ///     trouble TEXT
  std::string raw_profile() const;

 private:
  struct Phase {
    bool known = false;
    std::uint32_t root = 0;
    std::uint32_t begun = 0;    ///< begin marks seen
    std::uint32_t counted = 0;  ///< rounds that were counted to their end
  };
  static constexpr std::size_t kPhases = 256;

  CallTree tree_;
  std::deque<Block> blocks_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> blocks_at_;
  std::array<Phase, kPhases> phases_{};
  std::uint32_t warmup_;
  std::uint32_t rounds_;
  int open_phase_ = -1;  ///< the phase whose begin mark came last, without its end
  std::uint64_t unmatched_marks_ = 0;
};

}  // namespace msgring::profile
