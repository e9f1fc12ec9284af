// SPDX-License-Identifier: MIT
// Splitting of text; every result is a view into the text that was given.
#include "parse.hpp"

namespace msgring::host {
namespace {

constexpr std::string_view kWhiteSpace = " \t\r\n";

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  for (std::size_t start = text.find_first_not_of(separators); start != std::string_view::npos;) {
    const std::size_t end = text.find_first_of(separators, start);
    parts.push_back(text.substr(start, end - start));
    start = text.find_first_not_of(separators, end);
  }
  return parts;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kWhiteSpace);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(kWhiteSpace) - first + 1);
}

std::vector<std::string_view> words_of(std::string_view text) { return split(text, kWhiteSpace); }

std::vector<std::string_view> lines_of(std::string_view text) { return split(text, "\n"); }

std::optional<std::string> field_of(std::string_view text, std::string_view name) {
  for (const std::string_view line : lines_of(text)) {
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos && trimmed(line.substr(0, colon)) == name) {
      return std::string(trimmed(line.substr(colon + 1)));
    }
  }
  return std::nullopt;
}

}  // namespace msgring::host
