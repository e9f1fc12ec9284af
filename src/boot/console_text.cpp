// SPDX-License-Identifier: MIT
// Lines, terminal escapes, and the kernel's words for the end.
#include "console_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>

namespace msgring::boot {
namespace {

/// Without escape sequences (ECMA-48: ESC, then up to a final letter) and other control characters.
std::string plain(std::string_view line) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\x1B') {
      while (i < line.size() && std::isalpha(static_cast<unsigned char>(line[i])) == 0) {
        ++i;
      }
    } else if (std::isprint(static_cast<unsigned char>(line[i])) != 0) {
      text += line[i];
    }
  }
  const std::size_t end = text.find_last_not_of(' ');
  return end == std::string::npos ? std::string() : text.substr(0, end + 1);
}

std::vector<std::string> plain_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (std::string line = plain(text.substr(0, end)); !line.empty()) {
      lines.push_back(std::move(line));
    }
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

/// Where the first fatal word stands; npos when there is none.
std::size_t find_fatal(std::string_view console) {
  constexpr std::array<std::string_view, 5> kWords = {
      "Kernel panic - not syncing", "Oops: ", "BUG: ", "kernel BUG at", "general protection fault"};
  std::size_t first = std::string_view::npos;
  for (const std::string_view word : kWords) {
    first = std::min(first, console.find(word));
  }
  return first;
}

}  // namespace

std::vector<std::string> console_tail(std::string_view console, std::size_t lines) {
  const std::size_t fatal = find_fatal(console);
  std::vector<std::string> all =
      plain_lines(fatal == std::string_view::npos ? console : console.substr(fatal));
  if (all.size() > lines && fatal != std::string_view::npos) {
    all.resize(lines);
  } else if (all.size() > lines) {
    all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(lines));
  }
  return all;
}

std::string fatal_console_line(std::string_view console) {
  const std::size_t first = find_fatal(console);
  return first == std::string_view::npos
             ? std::string()
             : plain(console.substr(first, console.find('\n', first) - first));
}

std::string last_line(std::string_view text) {
  const std::vector<std::string> lines = console_tail(text, 1);
  return lines.empty() ? std::string() : lines.front();
}

}  // namespace msgring::boot
