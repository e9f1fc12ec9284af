// SPDX-License-Identifier: MIT
// Gates say what was seen and what the limit is; doubts say what a reader should know.
#include "stats/gates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "msgring/stats/shape.hpp"
#include "stats/role.hpp"

namespace msgring::stats {
namespace {

constexpr std::size_t kAdvisedRounds = 9;
constexpr double kVeryUnequal = 3.0;

GateState passed_if(bool passed) { return passed ? GateState::kPassed : GateState::kFailed; }

std::vector<const BootSummary*> boots_of(const Result& result) {
  std::vector<const BootSummary*> boots;
  for (const RoleSummary* role : {&result.baseline, &result.changed}) {
    for (const BootSummary& boot : role->boots) {
      boots.push_back(&boot);
    }
  }
  return boots;
}

std::size_t fewest_rounds(const Result& result) {
  const auto boots = boots_of(result);
  const auto least = std::min_element(
      boots.begin(), boots.end(), [](const auto* a, const auto* b) { return a->all.n < b->all.n; });
  return (*least)->all.n;
}

Gate rounds_gate(const Result& result, const Settings& settings) {
  const std::size_t rounds = fewest_rounds(result);
  const bool enough = rounds >= settings.min_rounds;
  return {"rounds", passed_if(enough),
          fmt::format("{} per boot {} {}", rounds, enough ? ">=" : "<", settings.min_rounds),
          fmt::format("measure at least {} rounds per boot, better {}", settings.min_rounds,
                      kAdvisedRounds)};
}

Gate cv_gate(const Result& result, const Settings& settings) {
  const auto boots = boots_of(result);
  const BootSummary& worst =
      **std::max_element(boots.begin(), boots.end(),
                         [](const auto* a, const auto* b) { return a->all.cv < b->all.cv; });
  const bool calm = worst.all.cv < settings.cv_limit;
  return {"cv", passed_if(calm),
          fmt::format("{:.3f} % in {} {} {:g} %", 100.0 * worst.all.cv, worst.label,
                      calm ? "<" : ">=", 100.0 * settings.cv_limit),
          "the rounds of this boot disagree: quiet the machine, then boot and measure it again"};
}

double largest_drift(const Result& result) {
  const double baseline = result.baseline.drift.value_or(0.0);
  const double changed = result.changed.drift.value_or(0.0);
  return std::abs(changed) > std::abs(baseline) ? changed : baseline;
}

Gate unknown_drift() {
  return {"drift", GateState::kUnknown, "no role was booted twice",
          "boot one role again at the end (order ABA): nothing else shows a drifting machine"};
}

Gate drift_gate_of_boots(const Result& result, const Settings& settings) {
  const double drift = largest_drift(result);
  const bool stable = std::abs(drift) < settings.drift_limit;
  return {"drift", passed_if(stable),
          fmt::format("|{:+.3f} %| {} {:g} %", 100.0 * drift,
                      stable ? "<" : ">=", 100.0 * settings.drift_limit),
          "the machine changed between the boots of one role: find out why, measure all again"};
}

// The first round in which two boots of one seed differ, said so that it can be looked up; empty
// if they are equal to the last instruction.
std::string first_difference(const std::vector<Boot>& boots) {
  for (std::size_t b = 1; b < boots.size(); ++b) {
    const auto [one, other] = std::mismatch(boots[0].rounds.begin(), boots[0].rounds.end(),
                                            boots[b].rounds.begin(), boots[b].rounds.end());
    if (one != boots[0].rounds.end() || other != boots[b].rounds.end()) {
      return fmt::format("{} and {} differ from round {} on (seed {})", boots[0].label,
                         boots[b].label, one - boots[0].rounds.begin(), boots[b].seed);
    }
  }
  return {};
}

Gate drift_gate_of_seeds(const Contrast& contrast) {
  for (const SeedSandwich& sandwich : sandwiches_of(contrast)) {
    for (const auto* role : {&sandwich.baseline, &sandwich.changed}) {
      const std::string difference = first_difference(*role);
      if (!difference.empty()) {
        return {"drift", GateState::kFailed, difference,
                "a fixed seed must repeat to the last instruction: check that nokaslr, -seed and "
                "-rtc were the same in both boots"};
      }
    }
  }
  return {"drift", GateState::kPassed, "exactly 0 within each seed", {}};
}

Gate drift_gate(const Contrast& contrast, const Result& result, const Settings& settings) {
  if (!result.baseline.drift && !result.changed.drift) {
    return unknown_drift();
  }
  return contrast.replication == Replication::kSeeds ? drift_gate_of_seeds(contrast)
                                                     : drift_gate_of_boots(result, settings);
}

// The first round may be dearer, but it must not carry the result: half the threshold, or a tenth
// of a large effect.
Gate drop_first_gate(const Result& result, const Settings& settings) {
  const double difference = std::abs(result.delta_without_first - result.delta);
  const double limit = std::max(settings.threshold / 2.0, 0.1 * std::abs(result.delta));
  const bool agrees = difference <= limit;
  return {"drop_first", passed_if(agrees),
          fmt::format("without the first rounds {:.3f} points {} {:.3f}", 100.0 * difference,
                      agrees ? "<=" : ">", 100.0 * limit),
          "the first rounds carry the result: raise --warmup or the settling time"};
}

void add_mode_doubts(std::vector<std::string>& doubts, const std::vector<Boot>& boots) {
  for (const Boot& boot : boots) {
    if (const auto modes = find_two_modes(boot.rounds)) {
      doubts.push_back(fmt::format(
          "{} has two modes: {:.0f} % of its rounds near {:.3f}, the others near {:.3f}; "
          "their mean describes neither",
          boot.label, 100.0 * modes->upper_share, modes->upper_mean, modes->lower_mean));
    }
  }
}

}  // namespace

std::vector<Gate> stability_gates(const Contrast& contrast, const Result& result,
                                  const Settings& settings) {
  return {rounds_gate(result, settings), cv_gate(result, settings),
          drift_gate(contrast, result, settings), drop_first_gate(result, settings)};
}

std::vector<std::string> doubts_about(const Contrast& contrast, const Result& result) {
  std::vector<std::string> doubts;
  add_mode_doubts(doubts, contrast.baseline);
  add_mode_doubts(doubts, contrast.changed);
  const auto ratio = spread_ratio(rounds_of(contrast.baseline), rounds_of(contrast.changed));
  if (ratio && *ratio > kVeryUnequal) {
    doubts.push_back(fmt::format(
        "the roles' rounds spread very unequally, by a factor of {:.1f}: look at the plot",
        *ratio));
  }
  const std::size_t rounds = fewest_rounds(result);
  if (rounds < kAdvisedRounds) {
    doubts.push_back(
        fmt::format("{} rounds per boot; {} or more are advised", rounds, kAdvisedRounds));
  }
  return doubts;
}

}  // namespace msgring::stats
