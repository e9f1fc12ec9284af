// SPDX-License-Identifier: MIT
// CallTree: executed instructions by code and by the chain of calls that led to it.
#pragma once

#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

#include "profile/plugin/block.hpp"

namespace msgring::profile {

/// How a node was entered from its parent.
enum class Entered : std::uint8_t { kRoot, kCall, kTailCall, kSystemCall, kInterrupt, kLost };

/// A function activation seen along one chain of calls.
struct TreeNode {
  std::uint32_t parent = 0;
  std::uint64_t entry = 0;  ///< where it was entered; 0 for a root
  Entered entered = Entered::kRoot;
  std::uint64_t calls = 0;
};

/// Part of a block: `count` instructions from instruction `first` on.
struct Piece {
  const Block* block = nullptr;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// Follows one virtual CPU block by block.
///
/// Told of every block as it begins, and of the number of instructions that have begun so far, so a
/// block that an exception cut is counted only as far as it went. Returns are matched with calls by
/// the return address, so the tree finds its way again after a context switch, a retpoline or an
/// exception that unwinds. An instruction that faults and is repeated counts once.
class CallTree {
 public:
  /// A new root; counting under it begins with `start`.
  std::uint32_t make_root();

  /// Counting begins in `block` with instruction `first`, with an empty call stack.
  void start(std::uint32_t root, const Block& block, std::uint32_t first, std::uint64_t executed);
  /// Counting ends in the current block, before its instruction number `executed` says.
  void stop(std::uint64_t executed);
  bool counting() const noexcept { return last_ != nullptr; }

  /// `block` begins; `executed` instructions have begun before it.
  void on_block(const Block& block, std::uint64_t executed);

  const std::vector<TreeNode>& nodes() const noexcept { return nodes_; }
  const std::vector<Piece>& pieces() const noexcept { return pieces_; }
  /// Executions by node (upper half of the key) and piece (lower half).
  const std::unordered_map<std::uint64_t, std::int64_t>& counts() const noexcept { return counts_; }
  /// Times that the call stack was given up because it had grown beyond all sense.
  std::uint64_t lost_stacks() const noexcept { return lost_stacks_; }

 private:
  struct Frame {
    std::uint32_t node;            ///< to go on with after the return
    std::uint64_t return_address;  ///< kNowhere for an interrupt
    const Block* cut;              ///< an interrupt: where in which block it came
    std::uint32_t cut_at;          ///< number of instructions of `cut` that had begun
  };
  static constexpr std::uint64_t kNowhere = std::numeric_limits<std::uint64_t>::max();
  static constexpr std::size_t kDeepest = 1024;

  void count(std::uint32_t node, const Block& block, std::uint32_t first, std::uint32_t count,
             std::int64_t times = 1);
  void enter(std::uint64_t entry, Entered how);
  void call(std::uint64_t entry, Entered how, Frame frame);
  void transfer(const Block& next, std::uint32_t begun);
  void interrupt(const Block& next, std::uint32_t begun);
  void take_return(std::uint64_t to);
  void take_interrupt_return(std::uint64_t to);
  bool unwind_to(std::uint64_t return_address);
  bool inside_thunk() const noexcept;

  std::vector<TreeNode> nodes_;
  std::vector<Piece> pieces_;
  std::unordered_map<std::uint64_t, std::int64_t> counts_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> children_;   ///< by parent, entry
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> pieces_of_;  ///< by block, first
  std::vector<Frame> stack_;
  std::uint32_t current_ = 0;
  const Block* last_ = nullptr;
  std::uint32_t first_ = 0;     ///< first instruction of last_ that counts
  std::uint64_t executed_ = 0;  ///< before that instruction
  std::uint64_t lost_stacks_ = 0;
};

}  // namespace msgring::profile
