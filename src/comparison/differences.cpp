// SPDX-License-Identifier: MIT
// The table of context keys, and the comparison of their values.
#include "comparison/differences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <sstream>

#include "msgring/comparison/mitigations.hpp"

namespace msgring::comparison {
namespace {

constexpr std::string_view kMitigations = "cpu.mitigations";

struct KeyRule {
  std::string_view key;  ///< a whole key, or a group if it ends in a dot
  KeyKind kind;
};

// The first rule that matches counts.
constexpr std::array kRules = {
    KeyRule{"date", KeyKind::kPerBoot},
    KeyRule{"load_avg", KeyKind::kPerBoot},
    KeyRule{"mhz_per_cpu", KeyKind::kPerBoot},  // calibrated anew at each boot
    KeyRule{"executable", KeyKind::kPerBoot},
    KeyRule{"host_name", KeyKind::kPerBoot},
    KeyRule{"kernel.boot_id", KeyKind::kPerBoot},
    KeyRule{"kernel.btime", KeyKind::kPerBoot},
    KeyRule{"kernel.uptime_s", KeyKind::kPerBoot},
    KeyRule{"kernel.load_average", KeyKind::kPerBoot},
    KeyRule{"boot.run_id", KeyKind::kPerBoot},
    KeyRule{"boot.seed", KeyKind::kPerBoot},
    KeyRule{"boot.command_line", KeyKind::kPerBoot},
    KeyRule{"boot.kernel", KeyKind::kPerBoot},
    KeyRule{"boot.started", KeyKind::kPerBoot},
    KeyRule{"boot.index", KeyKind::kPerBoot},
    KeyRule{"boot.role", KeyKind::kPerBoot},
    KeyRule{"boot.attempts", KeyKind::kPerBoot},
    KeyRule{"boot.proof", KeyKind::kPerBoot},
    KeyRule{"boot.method", KeyKind::kIdentity},  // a kexec'd kernel skips the firmware
    KeyRule{"boot.revision", KeyKind::kKernel},  // these: of kernels built from a git tree
    KeyRule{"boot.commit", KeyKind::kKernel},
    KeyRule{"boot.commit_subject", KeyKind::kKernel},
    KeyRule{"boot.source_tree", KeyKind::kKernel},
    KeyRule{"boot.dirty", KeyKind::kKernel},
    KeyRule{"boot.patch_sha256", KeyKind::kKernel},
    KeyRule{"boot.config_sha256", KeyKind::kKernel},
    KeyRule{kConfigChanges, KeyKind::kKernel},
    KeyRule{"boot.build_id", KeyKind::kKernel},
    KeyRule{"boot.image_sha256", KeyKind::kKernel},
    KeyRule{"msgring.settled", KeyKind::kPerBoot},
    KeyRule{"msgring.settle_seconds", KeyKind::kPerBoot},
    KeyRule{"msgring.started", KeyKind::kPerBoot},
    KeyRule{"msgring.complete", KeyKind::kPerBoot},
    KeyRule{"msgring.checks", KeyKind::kPerBoot},
    KeyRule{"kernel.release", KeyKind::kKernel},
    KeyRule{"kernel.version", KeyKind::kKernel},
    KeyRule{"kernel.build_id", KeyKind::kKernel},
    KeyRule{"kernel.cmdline", KeyKind::kKernel},
    KeyRule{"kernel.config_sha256", KeyKind::kKernel},
    KeyRule{"msgring.binary_sha256", KeyKind::kIdentity},
    KeyRule{"msgring.clock", KeyKind::kIdentity},
    KeyRule{"msgring.unit", KeyKind::kIdentity},
    KeyRule{"msgring.arguments", KeyKind::kIdentity},
    KeyRule{"cpu.model", KeyKind::kIdentity},
    KeyRule{"cpu.pinned", KeyKind::kIdentity},
    KeyRule{"cpu.clocksource", KeyKind::kIdentity},
    KeyRule{kMitigations, KeyKind::kConfound},
    KeyRule{"cpu.clocksource_available", KeyKind::kOther},
    KeyRule{"cpu.kind", KeyKind::kConfound},  // newer kernels tell it of more CPUs
    KeyRule{"cpu.", KeyKind::kControl},
    KeyRule{"msgring.", KeyKind::kControl},
    KeyRule{"virt.cgroup", KeyKind::kOther},
    KeyRule{"virt.", KeyKind::kControl},
    KeyRule{"boot.", KeyKind::kControl},
    KeyRule{"lib.", KeyKind::kControl},
    KeyRule{"library_version", KeyKind::kControl},
    KeyRule{"kernel.preempt_mode", KeyKind::kConfound},
    KeyRule{"kernel.aslr", KeyKind::kConfound},
    KeyRule{"kernel.tainted", KeyKind::kConfound},
    KeyRule{"kernel.tracing", KeyKind::kConfound},
    KeyRule{"machine.", KeyKind::kConfound},
    KeyRule{"memory.total_kib", KeyKind::kOther},  // a kernel's own size moves it
    KeyRule{"memory.", KeyKind::kConfound},
    KeyRule{"limits.seccomp", KeyKind::kConfound},
};

bool matches(const KeyRule& rule, std::string_view key) {
  return rule.key.back() == '.' ? key.substr(0, rule.key.size()) == rule.key : key == rule.key;
}

// Arguments that name where a result goes, not what is measured.
std::string without_output(const std::string& arguments) {
  std::istringstream words(arguments);
  std::string kept;
  std::string word;
  while (words >> word) {
    if (word == "--out") {
      words >> word;
    } else if (word.rfind("--out=", 0) != 0 && word != "--force") {
      kept += (kept.empty() ? "" : " ") + word;
    }
  }
  return kept;
}

bool differ(const std::string& a, const std::string& b) { return a != b || point::is_unknown(a); }

bool differs_within_a_role(const std::vector<PointFacts>& points,
                           const std::vector<std::string>& values) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (points[i].role == points[j].role && differ(values[i], values[j])) {
        return true;
      }
    }
  }
  return false;
}

bool any_unknown(const std::vector<std::string>& values) {
  return std::any_of(values.begin(), values.end(), point::is_unknown);
}

Weight weight_of(const Difference& difference, KeyKind kind, const std::vector<PointFacts>& points,
                 const Plan& plan) {
  if (std::find(plan.allowed.begin(), plan.allowed.end(), difference.key) != plan.allowed.end()) {
    return Weight::kConfound;
  }
  switch (kind) {
    case KeyKind::kKernel:
      if (any_unknown(difference.values)) {
        return Weight::kListed;  // the gates say what is known of the kernel
      }
      return plan.a_a || differs_within_a_role(points, difference.values) ? Weight::kBlocks
                                                                          : Weight::kUnderTest;
    case KeyKind::kIdentity:
      return Weight::kBlocks;
    case KeyKind::kControl:
      return any_unknown(difference.values) ? Weight::kListed : Weight::kBlocks;
    case KeyKind::kConfound:
      return any_unknown(difference.values) ? Weight::kListed : Weight::kConfound;
    case KeyKind::kPerBoot:
    case KeyKind::kOther:
      break;
  }
  return Weight::kListed;
}

std::vector<std::string> all_keys(const std::vector<PointFacts>& points) {
  std::vector<std::string> keys;
  std::set<std::string_view> seen;
  for (const PointFacts& point : points) {
    for (const auto& [key, value] : point.context.items()) {
      if (seen.insert(key).second) {
        keys.push_back(key);
      }
    }
  }
  return keys;
}

bool are_different(const std::vector<std::string>& values) {
  return std::any_of(values.begin() + 1, values.end(),
                     [&](const std::string& value) { return differ(value, values.front()); });
}

// `cpu.mitigations` as one difference for each vulnerability, so that a reader sees what differs.
std::vector<Difference> parts_of(Difference whole) {
  if (whole.key != kMitigations || any_unknown(whole.values)) {
    return {std::move(whole)};
  }
  std::vector<std::map<std::string, std::string>> points;
  std::set<std::string> names;
  for (const std::string& value : whole.values) {
    points.push_back(mitigations_in(value));
    for (const auto& [name, state] : points.back()) {
      names.insert(name);
    }
  }
  std::vector<Difference> parts;
  for (const std::string& name : names) {
    Difference part{fmt::format("{}.{}", kMitigations, name), {}, Weight::kListed};
    for (const auto& point : points) {
      const auto found = point.find(name);
      part.values.push_back(found == point.end() ? "none" : found->second);
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace

KeyKind kind_of(std::string_view key) noexcept {
  const auto* const found = std::find_if(kRules.begin(), kRules.end(),
                                         [&](const KeyRule& rule) { return matches(rule, key); });
  return found == kRules.end() ? KeyKind::kOther : found->kind;
}

std::string compared_value(const PointFacts& point, std::string_view key) {
  const std::string* value = point.context.find(key);
  if (value == nullptr) {
    return "unknown (not recorded)";
  }
  return key == "msgring.arguments" ? without_output(*value) : *value;
}

std::vector<Difference> find_differences(const std::vector<PointFacts>& points, const Plan& plan) {
  std::vector<Difference> differences;
  for (const std::string& key : all_keys(points)) {
    const KeyKind kind = kind_of(key);
    if (kind == KeyKind::kPerBoot) {
      continue;
    }
    Difference difference{key, {}, Weight::kListed};
    for (const PointFacts& point : points) {
      difference.values.push_back(compared_value(point, key));
    }
    for (Difference& part : parts_of(std::move(difference))) {
      if (are_different(part.values)) {
        part.weight = weight_of(part, kind, points, plan);
        differences.push_back(std::move(part));
      }
    }
  }
  return differences;
}

}  // namespace msgring::comparison
