// SPDX-License-Identifier: MIT
// Puts a Comparison together and decides what its verdict may be.
#include "msgring/comparison/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "comparison/differences.hpp"
#include "comparison/identity.hpp"
#include "comparison/roles.hpp"
#include "comparison/series.hpp"

namespace msgring::comparison {
namespace {

using stats::GateState;
using stats::Verdict;

void fill_results(std::vector<Entry>& entries, const stats::Settings& settings) {
  std::vector<stats::Contrast> contrasts;
  std::transform(entries.begin(), entries.end(), std::back_inserter(contrasts),
                 [](const Entry& entry) { return entry.contrast; });
  std::vector<stats::Result> results = stats::compare(contrasts, settings);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    Entry& entry = entries[i];
    entry.result = std::move(results[i]);
    entry.is_finding =
        std::all_of(entry.result.gates.begin(), entry.result.gates.end(),
                    [](const stats::Gate& gate) { return gate.state == GateState::kPassed; });
  }
}

// A measured time without any spread is a clock that stands, or a count called time.
void add_zero_spread_doubts(Comparison& comparison) {
  if (comparison.unit == host::Unit::kInstructions) {
    return;
  }
  for (Entry& entry : comparison.entries) {
    for (const auto* role : {&entry.result.baseline, &entry.result.changed}) {
      for (const stats::BootSummary& boot : role->boots) {
        if (boot.all.n > 2 && boot.all.sd == 0.0) {
          entry.result.doubts.push_back(fmt::format(
              "{}: all rounds took exactly the same time, which no clock shows", boot.label));
        }
      }
    }
  }
}

bool is_change(Verdict verdict) {
  return verdict == Verdict::kSlower || verdict == Verdict::kFaster;
}

void invalidate(Comparison& comparison, const stats::Gate& gate) {
  const std::string reason = fmt::format("gate {} failed: {}", gate.name, gate.figure);
  for (Entry& entry : comparison.entries) {
    entry.result.verdict = Verdict::kInvalid;
    entry.result.reason = reason;
    entry.is_finding = false;
  }
}

// In one boot nothing can show that a difference is the kernel's.
void withhold_changes(Comparison& comparison) {
  for (Entry& entry : comparison.entries) {
    if (is_change(entry.result.verdict)) {
      entry.result.verdict = Verdict::kInconclusive;
      entry.result.reason = "one boot proves no difference: " + entry.result.reason;
      entry.is_finding = false;
    }
  }
}

// A seed must repeat to the last instruction. Where it does not, the machine was not the
// deterministic one that the count is believed for, and no number of the run is worth anything.
std::optional<stats::Gate> unrepeated_seed(const Comparison& comparison) {
  if (comparison.replication != stats::Replication::kSeeds) {
    return std::nullopt;
  }
  for (const Entry& entry : comparison.entries) {
    for (const stats::Gate& gate : entry.result.gates) {
      if (gate.name == "drift" && gate.state == GateState::kFailed) {
        return gate;
      }
    }
  }
  return std::nullopt;
}

void decide(Comparison& comparison) {
  const auto failed =
      std::find_if(comparison.identity.begin(), comparison.identity.end(),
                   [](const stats::Gate& gate) { return gate.state == GateState::kFailed; });
  if (failed != comparison.identity.end()) {
    invalidate(comparison, *failed);
  } else if (const auto gate = unrepeated_seed(comparison)) {
    invalidate(comparison, *gate);
  } else if (comparison.same_boot) {
    withhold_changes(comparison);
  }
  comparison.verdict = comparison.entries.front().result.verdict;
  comparison.reason = comparison.entries.front().result.reason;
  const auto found =
      std::find_if(comparison.entries.begin(), comparison.entries.end(),
                   [](const Entry& entry) { return is_change(entry.result.verdict); });
  if (comparison.a_a && found != comparison.entries.end()) {
    comparison.verdict = Verdict::kInvalid;
    comparison.reason = fmt::format(
        "one kernel differs from itself in {}, phase {}: this set-up finds what is not there",
        found->title, found->phase.name);
  }
}

std::string confound_text(const Comparison& comparison) {
  std::vector<std::string> texts;
  for (const Difference& difference : comparison.differences) {
    if (difference.weight != Weight::kConfound) {
      continue;
    }
    std::vector<std::string> values;
    for (std::size_t i = 0; i < comparison.points.size(); ++i) {
      std::string text = fmt::format("{} in {}", difference.values[i], comparison.points[i].role);
      if (std::find(values.begin(), values.end(), text) == values.end()) {
        values.push_back(std::move(text));
      }
    }
    texts.push_back(fmt::format("{} ({})", difference.key, fmt::join(values, ", ")));
  }
  return fmt::format("{}", fmt::join(texts, "; "));
}

// "Options of the configuration that differ from A's: CONFIG_MEMCG y -> n (B)."; empty: none do.
std::string config_text(const Comparison& comparison) {
  std::vector<std::string> texts;
  for (const PointFacts& point : comparison.points) {
    const std::string* changes = point.context.find(kConfigChanges);
    if (changes == nullptr || *changes == "none") {
      continue;
    }
    std::string text = fmt::format("{} ({})", *changes, point.role);
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) {
      texts.push_back(std::move(text));
    }
  }
  return texts.empty() ? ""
                       : fmt::format("Options of the configuration that differ from {}'s: {}.",
                                     comparison.baseline_role, fmt::join(texts, "; "));
}

void add_caveats(Comparison& comparison) {
  std::string first;
  if (comparison.same_boot) {
    first = "No evidence: the points need not be from different boots (--same-boot).";
  }
  if (comparison.unit == host::Unit::kInstructions) {
    first += fmt::format(
        "{}Counts instructions of an emulated CPU, not time: a longer or shorter "
        "path, nothing about caches.",
        first.empty() ? "" : " ");
  }
  if (!first.empty()) {
    comparison.caveats.push_back(std::move(first));
  }
  const std::string confounds = confound_text(comparison);
  if (!confounds.empty()) {
    comparison.caveats.push_back("Not the only difference: " + confounds + ".");
  }
  if (std::string config = config_text(comparison); !config.empty()) {
    comparison.caveats.push_back(std::move(config));
  }
  if (std::any_of(comparison.points.begin(), comparison.points.end(), [](const PointFacts& point) {
        return point.origin == point::Origin::kImportedTsv;
      })) {
    comparison.caveats.emplace_back(
        "From an imported table: it holds rounds, but no identity of boots, kernels or machine.");
  }
  if (comparison.a_a) {
    comparison.caveats.emplace_back("One kernel against itself (--a-a): nothing may be found.");
  }
}

}  // namespace

Comparison compare_points(const std::vector<point::Point>& points, const Plan& plan) {
  check_plan(points, plan);
  check_sources(points);
  Comparison comparison;
  comparison.unit = points.front().unit;
  comparison.order = fmt::format("{}", fmt::join(plan.roles, ""));
  comparison.roles = distinct_roles(plan.roles);
  comparison.baseline_role = plan.against.empty() ? plan.roles.front() : plan.against;
  comparison.same_boot = plan.same_boot;
  comparison.a_a = plan.a_a;
  comparison.settings = plan.settings;
  comparison.points = facts_of(points, plan);
  if (comparison.points.front().context.find("msgring.arguments") != nullptr) {
    comparison.arguments = compared_value(comparison.points.front(), "msgring.arguments");
  }
  comparison.entries = entries_of(points, comparison.points, plan);
  comparison.replication = comparison.entries.front().contrast.replication;
  comparison.differences = find_differences(comparison.points, plan);
  comparison.checks = count_checks(points);
  comparison.identity = identity_gates(comparison.points, comparison.differences, plan);
  comparison.identity.insert(comparison.identity.begin(), checks_gate(points, comparison.checks));
  fill_results(comparison.entries, plan.settings);
  add_zero_spread_doubts(comparison);
  decide(comparison);
  add_caveats(comparison);
  return comparison;
}

}  // namespace msgring::comparison
