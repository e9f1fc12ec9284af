// SPDX-License-Identifier: MIT
// Packaged kernels as candidates.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace msgring::bisect {

/// "6.12..7.1": versions as boot::release_matches takes them.
struct ReleaseRange {
  std::string good;
  std::string bad;
};

/// Throws Error (kUsage) for what is no range.
ReleaseRange parse_release_range(std::string_view text);

/// The releases of one flavour (empty: all) from the oldest that fits the good version to the
/// newest that fits the bad one, in order, each once. `source` says where `releases` come from.
/// Throws Error (kUsage) when an end fits none, when the ends are in the wrong order, or when there
/// are not two.
std::vector<std::string> releases_in(const ReleaseRange& range, std::vector<std::string> releases,
                                     std::string_view flavour, std::string_view source);

/// The upstream version that a release is, "v6.12.95" for "6.12.95"; nothing for a distribution's
/// ("6.12.95+deb12-cloud-amd64"), which no upstream tag stands for.
std::optional<std::string> upstream_tag(std::string_view release);

}  // namespace msgring::bisect
