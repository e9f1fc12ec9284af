// SPDX-License-Identifier: MIT
#include "cli/aba_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "msgring/comparison/comparison.hpp"
#include "msgring/host/whole_file.hpp"
#include "msgring/tree/builder.hpp"

namespace msgring::cli {
namespace {

void tell(std::string_view line) { fmt::print(stderr, "msgring aba: {}\n", line); }

tree::BuildRequest request_of(const AbaOptions& options, const boot::RolePlan& role) {
  const RoleOptions& asked = options.roles.at(role.letter);
  tree::BuildRequest request;
  request.tree = options.tree;
  request.revision = role.kernel;
  request.patch = asked.patch;
  for (const std::string& config : asked.config) {
    if (config.find('=') != std::string::npos) {
      request.config_changes.push_back(config);
    } else {
      request.config = config;
    }
  }
  return request;
}

/// "none", or "CONFIG_MEMCG y -> n, CONFIG_KMEM n -> y".
std::string changes_text(const boot::Kernel& baseline, const boot::Kernel& kernel) {
  std::vector<std::string> texts;
  for (const tree::ConfigDifference& difference :
       tree::config_differences(host::read_file(baseline.config), host::read_file(kernel.config))) {
    texts.push_back(fmt::format("{} {} -> {}", difference.option, difference.a, difference.b));
  }
  return texts.empty() ? "none" : fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

void build_roles(boot::Plan& plan, const AbaOptions& options, const std::stop_token& stop) {
  tree::BuilderSetup setup;
  setup.progress = tell;
  setup.stop = stop;
  tree::KernelBuilder builder(setup);
  // The baseline first: the others are described against it.
  std::stable_partition(plan.roles.begin(), plan.roles.end(),
                        [](const boot::RolePlan& role) { return role.letter == 'A'; });
  for (const boot::RolePlan& role : plan.roles) {
    builder.check(request_of(options, role));
  }
  boot::Kernel baseline;
  for (boot::RolePlan& role : plan.roles) {
    const tree::BuiltKernel built = builder.build(request_of(options, role));
    if (baseline.image.empty()) {
      baseline = built.kernel;
    } else if (built.kernel.image == baseline.image) {
      tell(fmt::format("{} is the same kernel as A: same source and configuration", role.letter));
    }
    role.kernel = built.kernel.image;
    role.facts = tree::identity_facts(built.identity);
    const std::string changes = changes_text(baseline, built.kernel);
    if (changes != "none") {
      tell(fmt::format("options of {} that differ from A's: {}", role.letter, changes));
    }
    role.facts.emplace(comparison::kConfigChanges, changes);
  }
}

}  // namespace msgring::cli
