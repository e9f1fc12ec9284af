// SPDX-License-Identifier: MIT
// Comparing kernel releases.
#include <fmt/format.h>

#include <cctype>
#include <cstring>
#include <string>

#include "msgring/boot/kernels.hpp"

namespace msgring::boot {

bool release_less(std::string_view left, std::string_view right) {
  // Of one version, the cloud flavour is the one to prefer: it sorts last.
  constexpr std::string_view kCloud = "-cloud-";
  const std::size_t left_cloud = left.find(kCloud);
  const std::size_t right_cloud = right.find(kCloud);
  const bool left_has = left_cloud != std::string_view::npos;
  const bool right_has = right_cloud != std::string_view::npos;
  if (left_has != right_has) {
    const std::string_view with = left_has ? left : right;
    const std::string_view without = left_has ? right : left;
    const std::string_view base = with.substr(0, with.find(kCloud));
    if (without.substr(0, base.size()) == base && without.substr(base.size(), 1) == "-") {
      return right_has;
    }
  }
  return ::strverscmp(std::string(left).c_str(), std::string(right).c_str()) < 0;
}

bool release_matches(std::string_view release, std::string_view prefix) {
  if (prefix.empty() || release.substr(0, prefix.size()) != prefix) {
    return false;
  }
  if (release.size() == prefix.size()) {
    return true;
  }
  const bool prefix_ends_in_digit = std::isdigit(static_cast<unsigned char>(prefix.back())) != 0;
  const bool goes_on_in_digit =
      std::isdigit(static_cast<unsigned char>(release[prefix.size()])) != 0;
  return !(prefix_ends_in_digit && goes_on_in_digit);
}

bool is_of_flavour(std::string_view release, std::string_view flavour) {
  const std::string ending = fmt::format("-{}", flavour);
  if (release.size() <= ending.size() ||
      release.compare(release.size() - ending.size(), ending.size(), ending) != 0) {
    return false;
  }
  const std::string_view version = release.substr(0, release.size() - ending.size());
  for (std::size_t i = 0; i + 1 < version.size(); ++i) {
    if (version[i] == '-' && std::isdigit(static_cast<unsigned char>(version[i + 1])) == 0) {
      return false;
    }
  }
  return std::isdigit(static_cast<unsigned char>(version.front())) != 0;
}

}  // namespace msgring::boot
