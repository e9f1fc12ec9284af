// SPDX-License-Identifier: MIT
// Small profiles that tests share.
#pragma once

#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "msgring/error.hpp"
#include "msgring/profile/profile.hpp"

namespace msgring::profile {

/// A function below another of the same list: name, index of the parent, own instructions.
struct SampleNode {
  std::string name;
  std::uint32_t parent;
  std::uint64_t self;
};

/// A profile with the one phase "fill" of `operations` installs; nodes[0] is the phase.
inline Profile sample_profile(std::string release, std::uint64_t operations,
                              const std::vector<SampleNode>& nodes) {
  Profile profile;
  profile.subject = {
      {std::move(release), "#1", "ab12"}, "first_fill", "slots:4/batch:2", "QEMU", 1, 2};
  PhaseProfile phase{"fill", "install", operations, 0, {}};
  for (const SampleNode& node : nodes) {
    std::uint32_t function = 0;
    while (function < profile.functions.size() && profile.functions[function] != node.name) {
      ++function;
    }
    if (function == profile.functions.size()) {
      profile.functions.push_back(node.name);
    }
    phase.nodes.push_back({node.parent, function, 1, node.self});
  }
  profile.phases.push_back(std::move(phase));
  return profile;
}

/// The line that `call` throws with, or "no error".
template <class Call>
std::string error_line(Call call) {
  try {
    call();
  } catch (const std::exception& error) {
    return describe(error);
  }
  return "no error";
}

}  // namespace msgring::profile
