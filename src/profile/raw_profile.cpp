// SPDX-License-Identifier: MIT
#include "profile/raw_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "msgring/error.hpp"

namespace msgring::profile {
namespace {

[[noreturn]] void refuse(std::size_t line, std::string_view why) {
  throw Error(ExitStatus::kInvalid, fmt::format("raw profile: line {}: {}", line, why),
              "the emulator was stopped while it wrote it, or the file was changed; profile again");
}

/// The words of one line.
class Words {
 public:
  Words(std::string_view text, std::size_t line) : rest_(text), line_(line) {}

  std::string_view word() {
    const std::string_view found = rest_.substr(0, rest_.find(' '));
    rest_.remove_prefix(std::min(rest_.size(), found.size() + 1));
    return found;
  }

  template <class Number>
  Number number(int base = 10) {
    const std::string_view text = word();
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc() || end != text.data() + text.size() || text.empty()) {
      refuse(line_, fmt::format("'{}' is no number", text));
    }
    return value;
  }

  std::string_view rest() const noexcept { return rest_; }
  std::size_t line() const noexcept { return line_; }

 private:
  std::string_view rest_;
  std::size_t line_;
};

void read_node(Words words, RawProfile& raw) {
  const auto number = words.number<std::uint32_t>();
  const auto parent = words.number<std::uint32_t>();
  const auto entry = words.number<std::uint64_t>(16);
  const auto entered = words.number<std::uint8_t>();
  const auto calls = words.number<std::uint64_t>();
  const bool root = entered == static_cast<std::uint8_t>(Entered::kRoot);
  if (number != raw.nodes.size() || entered > static_cast<std::uint8_t>(Entered::kLost) ||
      (root ? parent != number : parent >= number)) {
    refuse(words.line(), "a node out of order");
  }
  raw.nodes.push_back({parent, entry, static_cast<Entered>(entered), calls});
}

void read_block(Words words, RawProfile& raw) {
  constexpr std::uint32_t kMostBlocks = 1U << 26U;
  const auto number = words.number<std::uint32_t>();
  if (number >= kMostBlocks) {
    refuse(words.line(), "a block number beyond all sense");
  }
  raw.blocks.resize(std::max<std::size_t>(raw.blocks.size(), number + 1U));
  RawBlock& block = raw.blocks[number];
  block.known = true;
  block.start = words.number<std::uint64_t>(16);
  const std::string_view digits = words.word();
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    block.lengths.push_back(Words(digits.substr(i, 2), words.line()).number<std::uint8_t>(16));
  }
}

void read_count(Words words, RawProfile& raw) {
  RawCount count;
  count.node = words.number<std::uint32_t>();
  count.block = words.number<std::uint32_t>();
  count.first = words.number<std::uint32_t>();
  count.count = words.number<std::uint32_t>();
  count.times = words.number<std::int64_t>();
  if (count.node >= raw.nodes.size() || count.block >= raw.blocks.size() ||
      count.first + std::uint64_t{count.count} > raw.blocks[count.block].lengths.size()) {
    refuse(words.line(), "a count of something that is not there");
  }
  raw.counts.push_back(count);
}

void read_line(Words words, RawProfile& raw) {
  const std::string_view kind = words.word();
  if (kind == "node") {
    read_node(words, raw);
  } else if (kind == "block") {
    read_block(words, raw);
  } else if (kind == "count") {
    read_count(words, raw);
  } else if (kind == "phase") {
    const auto number = words.number<std::uint32_t>();
    const auto root = words.number<std::uint32_t>();
    raw.phases.push_back({number, root, words.number<std::uint32_t>()});
  } else if (kind == "trouble") {
    raw.troubles.emplace_back(words.rest());
  } else {
    refuse(words.line(), fmt::format("'{}' is unknown", kind));
  }
}

}  // namespace

RawProfile parse_raw_profile(std::string_view text) {
  RawProfile raw;
  std::size_t line = 0;
  while (!text.empty()) {
    const std::string_view content = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), content.size() + 1));
    ++line;
    if (line == 1) {
      if (content != "msgring-raw-profile 1") {
        refuse(line, "this is no raw profile of version 1");
      }
    } else if (content == fmt::format("end {}", line - 1) && text.empty()) {
      return raw;
    } else {
      read_line({content, line}, raw);
    }
  }
  refuse(line, "it was cut: the end is missing");
}

}  // namespace msgring::profile
