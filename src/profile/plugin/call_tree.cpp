// SPDX-License-Identifier: MIT
#include "profile/plugin/call_tree.hpp"

#include <algorithm>

namespace msgring::profile {
namespace {

constexpr std::uint64_t pair_key(std::uint64_t high, std::uint64_t low) noexcept {
  return (high << 32U) | low;
}

/// Spreads an entry address over the key; two entries with one key are told apart afterwards.
constexpr std::uint64_t child_key(std::uint32_t parent, std::uint64_t entry) noexcept {
  return pair_key(parent, (entry ^ (entry >> 32U)) & 0xFFFFFFFFU);
}

/// Can execution go from the end of `from` to `to` without an interrupt?
bool follows(const Block& from, std::uint64_t to) noexcept {
  switch (from.last.flow) {
    case Flow::kPlain:
      return to == from.end;
    case Flow::kRepeat:
      return to == from.end || to == from.address_of(from.count() - 1);
    case Flow::kBranch:
      return to == from.end || to == from.last.target;
    case Flow::kJump:
    case Flow::kCall:
      return to == from.last.target;
    default:
      return true;
  }
}

}  // namespace

std::uint32_t CallTree::make_root() {
  nodes_.push_back({static_cast<std::uint32_t>(nodes_.size()), 0, Entered::kRoot, 0});
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

void CallTree::start(std::uint32_t root, const Block& block, std::uint32_t first,
                     std::uint64_t executed) {
  stack_.clear();
  current_ = root;
  ++nodes_[root].calls;
  last_ = &block;
  first_ = first;
  executed_ = executed;
}

void CallTree::stop(std::uint64_t executed) {
  count(current_, *last_, first_, static_cast<std::uint32_t>(executed - executed_));
  last_ = nullptr;
}

void CallTree::on_block(const Block& block, std::uint64_t executed) {
  if (last_ == nullptr) {
    return;
  }
  const auto begun = static_cast<std::uint32_t>(executed - executed_);
  count(current_, *last_, first_, begun);
  transfer(block, first_ + begun);
  last_ = &block;
  first_ = 0;
  executed_ = executed;
}

void CallTree::count(std::uint32_t node, const Block& block, std::uint32_t first,
                     std::uint32_t count, std::int64_t times) {
  if (count == 0) {
    return;
  }
  std::vector<std::uint32_t>& known = pieces_of_[pair_key(block.id, first)];
  const auto found = std::find_if(known.begin(), known.end(), [&](std::uint32_t piece) {
    return pieces_[piece].count == count;
  });
  std::uint32_t piece = 0;
  if (found != known.end()) {
    piece = *found;
  } else {
    piece = static_cast<std::uint32_t>(pieces_.size());
    pieces_.push_back({&block, first, count});
    known.push_back(piece);
  }
  counts_[pair_key(node, piece)] += times;
}

void CallTree::enter(std::uint64_t entry, Entered how) {
  std::vector<std::uint32_t>& known = children_[child_key(current_, entry)];
  const std::uint32_t parent = current_;
  const auto found = std::find_if(known.begin(), known.end(), [&](std::uint32_t child) {
    return nodes_[child].entry == entry && nodes_[child].parent == parent;
  });
  if (found != known.end()) {
    current_ = *found;
  } else {
    current_ = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({parent, entry, how, 0});
    known.push_back(current_);
  }
  ++nodes_[current_].calls;
}

void CallTree::call(std::uint64_t entry, Entered how, Frame frame) {
  if (stack_.size() >= kDeepest) {
    ++lost_stacks_;
    current_ = stack_.front().node;
    stack_.clear();
    frame.node = current_;
  }
  stack_.push_back(frame);
  enter(entry, how);
}

/// Counting goes on in `next`, after `begun` instructions of the block before it.
void CallTree::transfer(const Block& next, std::uint32_t begun) {
  const Block& from = *last_;
  if (begun < from.count()) {
    // An access to a device makes QEMU end the block there and go on behind it.
    if (next.start != from.address_of(begun)) {
      interrupt(next, begun);
    }
    return;
  }
  if (!follows(from, next.start)) {
    interrupt(next, begun);
    return;
  }
  switch (from.last.flow) {
    case Flow::kCall:
    case Flow::kIndirectCall:
      call(next.start, Entered::kCall, {current_, from.end, nullptr, 0});
      return;
    case Flow::kSystemCall:
      call(next.start, Entered::kSystemCall, {current_, from.end, nullptr, 0});
      return;
    case Flow::kReturn:
      take_return(next.start);
      return;
    case Flow::kSystemReturn:
    case Flow::kInterruptReturn:
      take_interrupt_return(next.start);
      return;
    default:
      if (next.begins_function && next.start != nodes_[current_].entry) {
        enter(next.start, Entered::kTailCall);
      }
      return;
  }
}

void CallTree::interrupt(const Block& next, std::uint32_t begun) {
  call(next.start, Entered::kInterrupt, {current_, kNowhere, last_, begun});
}

bool CallTree::unwind_to(std::uint64_t return_address) {
  const auto found = std::find_if(stack_.rbegin(), stack_.rend(), [&](const Frame& frame) {
    return frame.return_address == return_address;
  });
  if (found == stack_.rend()) {
    return false;
  }
  current_ = found->node;
  stack_.erase(std::prev(found.base()), stack_.end());
  return true;
}

/// Is the current return one that was expected to go back to right beside itself? A retpoline calls
/// its own end and overwrites the return address.
bool CallTree::inside_thunk() const noexcept {
  constexpr std::uint64_t kThunkBytes = 64;
  return !stack_.empty() && stack_.back().return_address + kThunkBytes >= last_->end &&
         stack_.back().return_address < last_->end;
}

void CallTree::take_return(std::uint64_t to) {
  if (unwind_to(to)) {
    return;
  }
  if (inside_thunk()) {
    current_ = stack_.back().node;
    stack_.pop_back();
    enter(to, Entered::kTailCall);
    return;
  }
  // Another task's stack, most likely. Its code stands beside what came before it, not below.
  if (nodes_[current_].entered == Entered::kLost) {
    current_ = nodes_[current_].parent;
  }
  enter(to, Entered::kLost);
}

void CallTree::take_interrupt_return(std::uint64_t to) {
  if (unwind_to(to)) {
    return;
  }
  const auto found = std::find_if(stack_.rbegin(), stack_.rend(),
                                  [](const Frame& frame) { return frame.cut != nullptr; });
  if (found == stack_.rend()) {
    take_return(to);
    return;
  }
  const Frame frame = *found;
  current_ = frame.node;
  stack_.erase(std::prev(found.base()), stack_.end());
  // Back at the very instruction that had begun: it faulted, and now it runs.
  if (frame.cut_at > 0 && to == frame.cut->address_of(frame.cut_at - 1) &&
      frame.cut->last.flow != Flow::kRepeat) {
    count(current_, *frame.cut, frame.cut_at - 1, 1, -1);
  }
}

}  // namespace msgring::profile
