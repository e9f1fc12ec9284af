// SPDX-License-Identifier: MIT
#include "build_log.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <sstream>

#include "git.hpp"

namespace msgring::tree {
namespace {

std::optional<std::string> line_with(std::string_view log, std::string_view words) {
  const std::size_t at = log.find(words);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  const std::size_t before = log.rfind('\n', at);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  return std::string(log.substr(begin, log.find('\n', at) - begin));
}

}  // namespace

std::string first_error(std::string_view log) {
  // From the most telling to what make adds on its way out.
  constexpr std::array<std::string_view, 7> kSigns = {
      ": error: ", "fatal error: ", ": undefined reference to ", "ERROR: ", "error: ",
      "Error ",    "*** "};
  for (const std::string_view sign : kSigns) {
    if (auto line = line_with(log, sign)) {
      return *line;
    }
  }
  const std::vector<std::string> lines = lines_of(std::string(log));
  return lines.empty() ? "make says nothing" : lines.back();
}

bool says_disk_full(std::string_view log) {
  return log.find("No space left on device") != std::string_view::npos;
}

std::size_t count_steps(std::string_view piece, BuildSteps& steps) {
  const std::size_t end = piece.rfind('\n');
  if (end == std::string_view::npos) {
    return 0;
  }
  for (const std::string& line : lines_of(std::string(piece.substr(0, end)))) {
    std::istringstream words(line);
    std::string tool;
    std::string file;
    if (line.rfind("  ", 0) == 0 && words >> tool >> file) {
      ++steps.count;
      steps.last = fmt::format("{} {}", tool, file);
    }
  }
  return end + 1;
}

}  // namespace msgring::tree
