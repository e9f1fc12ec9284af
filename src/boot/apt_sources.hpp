// SPDX-License-Identifier: MIT
// Where this system gets its packages, and the source lines for newer kernels made from that.
#pragma once

#include <string>
#include <string_view>

namespace msgring::boot {

/// Picks Debian's own repository for the suite `codename` ("bookworm") from the output of
/// `apt-get indextargets --format kIndexTargetFormat`; empty when there is none.
///
/// A system that has never fetched its indices knows no origins, and leaves that word as it is.
constexpr std::string_view kIndexTargetFormat = "$(ORIGIN)\t$(REPO_URI)\t$(RELEASE)";
std::string debian_repository(std::string_view index_targets, std::string_view codename);

/// The value of `key` in os-release(5) text, without quotes; empty when it is not there.
std::string os_release_value(std::string_view text, std::string_view key);

/// One-line-style source entries (sources.list(5)) for the suites that hold kernels, oldest first.
std::string kernel_sources(std::string_view repository, std::string_view keyring);

}  // namespace msgring::boot
