// SPDX-License-Identifier: MIT
// Reading index targets, writing sources.
#include "apt_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

namespace msgring::boot {

std::string debian_repository(std::string_view index_targets, std::string_view codename) {
  std::istringstream lines{std::string(index_targets)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find('\t');
    const std::size_t second = line.find('\t', first + 1);
    if (second == std::string::npos) {
      continue;
    }
    const std::string origin = line.substr(0, first);
    if ((origin == "Debian" || origin == "$(ORIGIN)") && line.substr(second + 1) == codename) {
      return line.substr(first + 1, second - first - 1);
    }
  }
  return {};
}

std::string os_release_value(std::string_view text, std::string_view key) {
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (line.size() > key.size() && line.substr(0, key.size()) == key && line[key.size()] == '=') {
      std::string value = line.substr(key.size() + 1);
      value.erase(std::remove(value.begin(), value.end(), '"'), value.end());
      return value;
    }
  }
  return {};
}

std::string kernel_sources(std::string_view repository, std::string_view keyring) {
  constexpr std::array<std::string_view, 5> kSuites = {"bookworm", "bookworm-backports", "trixie",
                                                       "trixie-backports", "sid"};
  std::string text;
  for (const std::string_view suite : kSuites) {
    text += fmt::format("deb [signed-by={}] {} {} main\n", keyring, repository, suite);
  }
  return text;
}

}  // namespace msgring::boot
