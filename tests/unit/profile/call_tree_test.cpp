// SPDX-License-Identifier: MIT
#include "profile/plugin/call_tree.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <string>
#include <vector>

namespace msgring::profile {
namespace {

/// A processor that executes what it is told, one byte an instruction.
class Machine {
 public:
  explicit Machine() : root_(tree_.make_root()) {}

  const Block& block(std::uint64_t start, std::uint32_t count, Flow flow = Flow::kPlain,
                     std::uint64_t target = 0, bool begins_function = false) {
    Block block;
    block.id = static_cast<std::uint32_t>(blocks_.size());
    block.start = start;
    block.end = start + count;
    block.lengths.assign(count, 1);
    block.last = {flow, target};
    block.begins_function = begins_function;
    blocks_.push_back(block);
    return blocks_.back();
  }

  void start(const Block& block, std::uint32_t first) {
    tree_.start(root_, block, first, executed_);
    executed_ += block.count() - first;
  }
  void stop() { tree_.stop(executed_); }
  /// Executes `count` instructions of the block, or all.
  void run(const Block& block, std::uint32_t count = 0) {
    tree_.on_block(block, executed_);
    executed_ += count == 0 ? block.count() : count;
  }

  /// Counted instructions by path of entry addresses, "100/200".
  std::map<std::string, std::int64_t> self() const {
    std::map<std::string, std::int64_t> sums;
    for (const auto& [key, times] : tree_.counts()) {
      const auto node = static_cast<std::uint32_t>(key >> 32U);
      sums[path(node)] += times * tree_.pieces()[key & 0xFFFFFFFFU].count;
    }
    return sums;
  }

  const CallTree& tree() const { return tree_; }

 private:
  std::string path(std::uint32_t node) const {
    const TreeNode& at = tree_.nodes()[node];
    return at.parent == node ? "" : path(at.parent) + "/" + std::to_string(at.entry);
  }

  CallTree tree_;
  std::deque<Block> blocks_;
  std::uint64_t executed_ = 0;
  std::uint32_t root_;
};

using Sums = std::map<std::string, std::int64_t>;

TEST(CallTree, CallsAndReturnsNest) {
  Machine machine;
  const Block& begin = machine.block(100, 4, Flow::kCall, 200);
  const Block& outer = machine.block(200, 3, Flow::kCall, 300);
  const Block& inner = machine.block(300, 5, Flow::kReturn);
  const Block& outer_end = machine.block(203, 2, Flow::kReturn);
  const Block& end = machine.block(104, 6);
  machine.start(begin, 1);  // 3 of the 4 instructions stand behind the mark
  machine.run(outer);
  machine.run(inner);
  machine.run(outer_end);
  machine.run(end, 2);  // the mark stands before the third
  machine.stop();
  // Root 3 + 2, outer 3 + 2, inner 5.
  EXPECT_EQ(machine.self(), (Sums{{"", 5}, {"/200", 5}, {"/200/300", 5}}));
  EXPECT_EQ(machine.tree().nodes()[1].calls, 1U);
}

TEST(CallTree, ATailCallStandsBelowAndReturnsThroughBoth) {
  Machine machine;
  machine.start(machine.block(100, 1, Flow::kCall, 200), 0);
  machine.run(machine.block(200, 2, Flow::kJump, 300));
  machine.run(machine.block(300, 4, Flow::kReturn, 0, true));
  machine.run(machine.block(101, 8));
  machine.stop();
  EXPECT_EQ(machine.self(), (Sums{{"", 9}, {"/200", 2}, {"/200/300", 4}}));
}

TEST(CallTree, AnInterruptStandsBelowWhatItCutAndGoesBack) {
  Machine machine;
  const Block& loop = machine.block(100, 10, Flow::kJump, 100);
  const Block& handler = machine.block(900, 7, Flow::kInterruptReturn);
  machine.start(loop, 0);
  machine.run(loop);
  machine.run(handler);  // not 100: between two blocks
  machine.run(loop);
  machine.stop();
  EXPECT_EQ(machine.self(), (Sums{{"", 30}, {"/900", 7}}));
}

TEST(CallTree, AnInstructionThatFaultsAndIsRepeatedCountsOnce) {
  Machine machine;
  const Block& begin = machine.block(100, 2);
  const Block& faulting = machine.block(102, 6, Flow::kReturn);
  const Block& handler = machine.block(900, 7, Flow::kInterruptReturn);
  const Block& rest = machine.block(105, 3, Flow::kReturn);
  machine.start(begin, 0);
  machine.run(faulting, 4);  // the fourth, at 105, faults
  machine.run(handler);
  machine.run(rest);
  machine.stop();
  // 2 + 4 + 3 began, but the one at 105 began twice: 8.
  EXPECT_EQ(machine.self(), (Sums{{"", 8}, {"/900", 7}}));
}

TEST(CallTree, ADeviceAccessThatEndsABlockIsNoInterrupt) {
  Machine machine;
  const Block& begin = machine.block(100, 6);
  machine.start(machine.block(98, 2), 0);
  machine.run(begin, 3);
  machine.run(machine.block(103, 3));
  machine.stop();
  EXPECT_EQ(machine.self(), (Sums{{"", 8}}));
}

TEST(CallTree, ARetpolineCallsWhatItJumpsTo) {
  Machine machine;
  machine.start(machine.block(100, 1, Flow::kCall, 500), 0);
  machine.run(machine.block(500, 1, Flow::kCall, 504));  // call 1f
  machine.run(machine.block(504, 2, Flow::kReturn));     // 1: mov %rax,(%rsp); ret
  machine.run(machine.block(700, 9, Flow::kReturn));     // *%rax
  machine.run(machine.block(101, 1));
  machine.stop();
  EXPECT_EQ(machine.self(), (Sums{{"", 2}, {"/500", 1}, {"/500/504", 2}, {"/500/700", 9}}));
}

TEST(CallTree, AnotherTasksStackIsLeftAsItWasEntered) {
  Machine machine;
  machine.start(machine.block(100, 1, Flow::kCall, 200), 0);
  machine.run(machine.block(200, 2, Flow::kReturn));  // as __switch_to_asm does, but elsewhere
  machine.run(machine.block(5000, 3, Flow::kReturn));
  machine.run(machine.block(6000, 4, Flow::kReturn));
  machine.run(machine.block(101, 5));  // switched back
  machine.stop();
  EXPECT_EQ(machine.self(), (Sums{{"", 6}, {"/200", 2}, {"/200/5000", 3}, {"/200/6000", 4}}));
}

TEST(CallTree, ASystemCallEndsWhereItWasMade) {
  Machine machine;
  machine.start(machine.block(100, 3, Flow::kSystemCall), 0);
  machine.run(machine.block(9000, 5, Flow::kSystemReturn));
  machine.run(machine.block(103, 2));
  machine.stop();
  EXPECT_EQ(machine.self(), (Sums{{"", 5}, {"/9000", 5}}));
}

TEST(CallTree, ARepeatedStringInstructionIsNoInterrupt) {
  Machine machine;
  const Block& copy = machine.block(100, 3, Flow::kRepeat);
  const Block& again = machine.block(102, 1, Flow::kRepeat);
  machine.start(copy, 0);
  machine.run(again);
  machine.run(again);
  machine.run(machine.block(103, 1));
  machine.stop();
  EXPECT_EQ(machine.self(), (Sums{{"", 6}}));
}

TEST(CallTree, AStackBeyondAllSenseIsGivenUpAndTold) {
  Machine machine;
  const Block& endless = machine.block(200, 1, Flow::kCall, 200);
  machine.start(machine.block(100, 1, Flow::kCall, 200), 0);
  for (int i = 0; i < 2000; ++i) {
    machine.run(endless);
  }
  machine.stop();
  EXPECT_EQ(machine.tree().lost_stacks(), 1U);
  std::int64_t sum = 0;
  for (const auto& [path, count] : machine.self()) {
    sum += count;
  }
  EXPECT_EQ(sum, 2001);  // nothing is lost with it
}

}  // namespace
}  // namespace msgring::profile
