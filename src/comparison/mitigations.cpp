// SPDX-License-Identifier: MIT
#include "msgring/comparison/mitigations.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace msgring::comparison {

std::map<std::string, std::string> mitigations_in(std::string_view text) {
  constexpr std::string_view kBetween = " | ";
  constexpr std::string_view kColon = ": ";
  std::map<std::string, std::string> mitigations;
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(kBetween));
    const std::size_t colon = item.find(kColon);
    if (colon != std::string_view::npos) {
      const std::string_view state = item.substr(colon + kColon.size());
      if (state != "Not affected") {
        mitigations.emplace(item.substr(0, colon), state);
      }
    }
    text.remove_prefix(std::min(text.size(), item.size() + kBetween.size()));
  }
  return mitigations;
}

std::string mitigations_text(std::string_view text) {
  std::string needed;
  for (const auto& [name, state] : mitigations_in(text)) {
    needed += fmt::format("{}{}: {}", needed.empty() ? "" : " | ", name, state);
  }
  return needed.empty() ? "none needed" : needed;
}

}  // namespace msgring::comparison
