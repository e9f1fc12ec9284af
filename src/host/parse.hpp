// SPDX-License-Identifier: MIT
// The three shapes of text in /proc and /sys: a number, a line of words, lines of "name: value".
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace msgring::host {

/// The whole of `text` as a decimal number; nothing if there is anything else in it.
template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return number;
}

/// `text` without blanks, tabs and line ends at both ends.
std::string_view trimmed(std::string_view text);

/// The parts of `text` between runs of blanks, tabs and line ends.
std::vector<std::string_view> words_of(std::string_view text);

/// The lines of `text`, without their ends.
std::vector<std::string_view> lines_of(std::string_view text);

/// The value of the first line "name<blanks>:<blanks>value" (/proc/cpuinfo, /proc/self/status,
/// /proc/meminfo); nothing if there is no such line.
std::optional<std::string> field_of(std::string_view text, std::string_view name);

}  // namespace msgring::host
