// SPDX-License-Identifier: MIT
// Choosing and ordering releases.
#include "msgring/bisect/releases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "msgring/boot/kernels.hpp"
#include "msgring/error.hpp"

namespace msgring::bisect {
namespace {

constexpr const char* kForm = "write it as 6.12..7.1, the good version first";

std::string listed(const std::vector<std::string>& releases) {
  return releases.empty() ? "nothing" : fmt::format("{}", fmt::join(releases, ", "));
}

}  // namespace

ReleaseRange parse_release_range(std::string_view text) {
  const std::size_t dots = text.find("..");
  ReleaseRange range;
  if (dots != std::string_view::npos) {
    range = {std::string(text.substr(0, dots)), std::string(text.substr(dots + 2))};
  }
  if (range.good.empty() || range.bad.empty() || range.bad.front() == '.') {
    throw Error(ExitStatus::kUsage, fmt::format("--releases {}: is no range", text), kForm);
  }
  return range;
}

std::vector<std::string> releases_in(const ReleaseRange& range, std::vector<std::string> releases,
                                     std::string_view flavour, std::string_view source) {
  const std::string text = fmt::format("--releases {}..{}", range.good, range.bad);
  if (!flavour.empty()) {
    releases.erase(std::remove_if(releases.begin(), releases.end(),
                                  [flavour](const std::string& release) {
                                    return !boot::is_of_flavour(release, flavour);
                                  }),
                   releases.end());
  }
  std::sort(releases.begin(), releases.end(), boot::release_less);
  releases.erase(std::unique(releases.begin(), releases.end()), releases.end());
  const auto fits = [](const std::string& version) {
    return
        [&version](const std::string& release) { return boot::release_matches(release, version); };
  };
  const auto first = std::find_if(releases.begin(), releases.end(), fits(range.good));
  const auto last = std::find_if(releases.rbegin(), releases.rend(), fits(range.bad));
  for (const auto& [version, is_there] :
       {std::pair{range.good, first != releases.end()}, {range.bad, last != releases.rend()}}) {
    if (!is_there) {
      throw Error(ExitStatus::kUsage,
                  fmt::format("{}: no {} kernel {} in {}, which has {}", text, flavour, version,
                              source, listed(releases)),
                  "--fetch adds what the package mirror serves; --flavour chooses another");
    }
  }
  if (first >= last.base()) {
    throw Error(ExitStatus::kUsage, fmt::format("{}: {} is not older than {}", text, *first, *last),
                kForm);
  }
  std::vector<std::string> chosen(first, last.base());
  if (chosen.size() == 1) {
    throw Error(ExitStatus::kUsage, fmt::format("{}: holds only {}", text, chosen.front()),
                "widen the range, or --fetch what the package mirror serves");
  }
  return chosen;
}

std::optional<std::string> upstream_tag(std::string_view release) {
  static const std::regex upstream(R"([0-9]+\.[0-9]+(\.[0-9]+)?(-rc[0-9]+)?)");
  if (!std::regex_match(release.begin(), release.end(), upstream)) {
    return std::nullopt;
  }
  // `uname -r` of a mainline release says 6.12.0; its tag is v6.12.
  static const std::regex of_mainline(R"(([0-9]+\.[0-9]+)\.0(-rc[0-9]+)?)");
  return "v" + std::regex_replace(std::string(release), of_mainline, "$1$2");
}

}  // namespace msgring::bisect
