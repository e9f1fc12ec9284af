// SPDX-License-Identifier: MIT
#include "msgring/profile/profile.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "msgring/error.hpp"
#include "msgring/host/file.hpp"

namespace msgring::profile {

std::uint64_t PhaseProfile::instructions() const noexcept {
  return std::accumulate(nodes.begin(), nodes.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Node& node) { return sum + node.self; });
}

Profile read_profile(const std::filesystem::path& path) {
  const host::TextFile file = host::read_text_file(path);
  if (file.state != host::FileState::kRead) {
    throw Error(ExitStatus::kUsage, fmt::format("{}: {}", path.string(), errno_name(file.error)),
                "give two files that 'msgring explain --keep' wrote");
  }
  return parse_profile(file.text, path.string());
}

void check_against_clock(const Profile& profile) {
  constexpr double kMost = 0.002;
  for (const PhaseProfile& phase : profile.phases) {
    if (phase.clock_instructions == 0) {
      continue;
    }
    const auto clock = static_cast<double>(phase.clock_instructions);
    const double off = (static_cast<double>(phase.instructions()) - clock) / clock;
    if (std::abs(off) > kMost) {
      throw Error(ExitStatus::kInvalid,
                  fmt::format("profile of {}: phase {}: {} instructions were counted, the guest's "
                              "clock says {} ({:+.3f} %)",
                              profile.subject.kernel.release, phase.name, phase.instructions(),
                              phase.clock_instructions, 100 * off),
                  "the profile is not of these rounds; profile again");
    }
  }
}

}  // namespace msgring::profile
