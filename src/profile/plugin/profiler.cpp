// SPDX-License-Identifier: MIT
#include "profile/plugin/profiler.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <utility>

namespace msgring::profile {
namespace {

/// Appends a formatted line. (No fmt: this becomes part of a plugin that must not bring libraries.)
[[gnu::format(printf, 2, 3)]] void add_line(std::string& text, const char* format, ...) {
  std::array<char, 160> line{};
  std::va_list arguments;  // NOLINT(cppcoreguidelines-init-variables)
  va_start(arguments, format);
  // The analyzer of clang 14 does not see va_start in C++.
  // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized)
  std::vsnprintf(line.data(), line.size(), format, arguments);
  va_end(arguments);
  text += line.data();
  text += '\n';
}

void add_block(std::string& text, const Block& block) {
  std::array<char, 48> head{};
  std::snprintf(head.data(), head.size(), "block %u %llx ", block.id,
                static_cast<unsigned long long>(block.start));
  text += head.data();
  constexpr const char* kDigits = "0123456789abcdef";
  for (const std::uint8_t length : block.lengths) {
    text += kDigits[length >> 4U];
    text += kDigits[length & 15U];
  }
  text += '\n';
}

}  // namespace

const Block& Profiler::keep(Block block) {
  std::vector<std::uint32_t>& known = blocks_at_[block.start];
  const auto found = std::find_if(known.begin(), known.end(),
                                  [&](std::uint32_t id) { return same_code(blocks_[id], block); });
  if (found != known.end()) {
    return blocks_[*found];
  }
  block.id = static_cast<std::uint32_t>(blocks_.size());
  known.push_back(block.id);
  blocks_.push_back(std::move(block));
  return blocks_.back();
}

void Profiler::on_mark(Mark mark, const Block& block, std::uint32_t index, std::uint64_t executed) {
  Phase& phase = phases_[mark.phase];
  if (mark.kind == MarkKind::kBegin) {
    unmatched_marks_ += open_phase_ >= 0 ? 1 : 0;
    open_phase_ = mark.phase;
    if (!phase.known) {
      phase.known = true;
      phase.root = tree_.make_root();
    }
    if (phase.begun >= warmup_ && phase.begun < warmup_ + rounds_) {
      tree_.start(phase.root, block, index + 1, executed);
    }
    ++phase.begun;
    return;
  }
  unmatched_marks_ += open_phase_ == mark.phase ? 0 : 1;
  open_phase_ = -1;
  if (tree_.counting()) {
    tree_.stop(executed);
    ++phase.counted;
  }
}

bool Profiler::complete() const noexcept {
  return open_phase_ < 0 && std::all_of(phases_.begin(), phases_.end(), [&](const Phase& phase) {
           return !phase.known || phase.counted >= rounds_;
         });
}

std::string Profiler::raw_profile() const {
  std::string text = "msgring-raw-profile 1\n";
  for (std::size_t i = 0; i < phases_.size(); ++i) {
    if (phases_[i].known) {
      add_line(text, "phase %zu %u %u", i, phases_[i].root, phases_[i].counted);
    }
  }
  for (std::size_t i = 0; i < tree_.nodes().size(); ++i) {
    const TreeNode& node = tree_.nodes()[i];
    add_line(text, "node %zu %u %llx %u %llu", i, node.parent,
             static_cast<unsigned long long>(node.entry), static_cast<unsigned>(node.entered),
             static_cast<unsigned long long>(node.calls));
  }
  std::vector<bool> counted(blocks_.size(), false);
  for (const Piece& piece : tree_.pieces()) {
    counted[piece.block->id] = true;
  }
  for (const Block& block : blocks_) {
    if (counted[block.id]) {
      add_block(text, block);
    }
  }
  for (const auto& [key, times] : tree_.counts()) {
    const Piece& piece = tree_.pieces()[key & 0xFFFFFFFFU];
    add_line(text, "count %llu %u %u %u %lld", static_cast<unsigned long long>(key >> 32U),
             piece.block->id, piece.first, piece.count, static_cast<long long>(times));
  }
  if (unmatched_marks_ != 0) {
    add_line(text, "trouble %llu phase marks without their counterpart",
             static_cast<unsigned long long>(unmatched_marks_));
  }
  if (tree_.lost_stacks() != 0) {
    add_line(text, "trouble the call stack was lost %llu times",
             static_cast<unsigned long long>(tree_.lost_stacks()));
  }
  const auto lines = std::count(text.begin(), text.end(), '\n');
  add_line(text, "end %lld", static_cast<long long>(lines));
  return text;
}

}  // namespace msgring::profile
