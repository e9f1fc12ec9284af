// SPDX-License-Identifier: MIT
// Numbers and sentences.
#include "report/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace msgring::report {
namespace {

using stats::GateState;
using stats::Verdict;

std::string effect_text(const Comparison& comparison, const Entry& entry) {
  return fmt::format("{} % in {}, {:g} % interval {}", percent(entry.result.delta),
                     unit_per(comparison, entry), 100.0 * entry.result.level,
                     interval_text(entry.result.interval));
}

std::size_t fewest_rounds(const Entry& entry) {
  std::size_t fewest = entry.contrast.baseline.front().rounds.size();
  for (const auto* role : {&entry.contrast.baseline, &entry.contrast.changed}) {
    for (const stats::Boot& boot : *role) {
      fewest = std::min(fewest, boot.rounds.size());
    }
  }
  return fewest;
}

std::string interval_method(const Comparison& comparison, const Entry& entry) {
  if (comparison.replication == stats::Replication::kSeeds && entry.result.seed_deltas.size() > 1) {
    return fmt::format("Student's t over {} seeds, one delta each",
                       entry.result.seed_deltas.size());
  }
  std::string text = "hierarchical bootstrap of boots and rounds, percentile";
  if (entry.result.widening > 0.0) {
    text += fmt::format(", widened by the drift of {} points",
                        percent(entry.result.widening, Sign::kPlain));
  }
  return text;
}

void add_stability_lines(std::vector<GateLine>& lines, const Comparison& comparison,
                         std::size_t gate) {
  const auto& entries = comparison.entries;
  for (const Entry& entry : entries) {
    const stats::Gate& one = entry.result.gates[gate];
    if (one.state != GateState::kPassed) {
      const std::string where = entries.size() > 1 ? place_of(entry) + ": " : "";
      lines.push_back({one.name, one.state, where + one.figure, one.advice});
    }
  }
  const auto passed = static_cast<std::size_t>(std::count_if(
      entries.begin(), entries.end(),
      [&](const Entry& entry) { return entry.result.gates[gate].state == GateState::kPassed; }));
  if (passed == 0) {
    return;
  }
  const auto first = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) {
    return entry.result.gates[gate].state == GateState::kPassed;
  });
  std::string figure = first->result.gates[gate].figure;
  if (entries.size() > 1) {
    figure += fmt::format("; passed in {} of {} comparisons", passed, entries.size());
  }
  lines.push_back({first->result.gates[gate].name, GateState::kPassed, figure, {}});
}

}  // namespace

std::string percent(double fraction, Sign sign) {
  // Rounded first, so that a tiny negative number does not read "-0.000".
  const double rounded = std::round(fraction * 1e5) / 1e3 + 0.0;
  return sign == Sign::kAlways ? fmt::format("{:+.3f}", rounded) : fmt::format("{:.3f}", rounded);
}

std::string cost(double value) {
  return value < 10'000.0 ? fmt::format("{:.3f}", value) : fmt::format("{:.1f}", value);
}

std::string unit_per(const Comparison& comparison, const Entry& entry) {
  return fmt::format("{} per {}", host::unit_text(comparison.unit), entry.phase.noun);
}

std::string place_of(const Entry& entry) {
  return fmt::format("{}, phase {}", entry.title, entry.phase.name);
}

std::string interval_text(const stats::Interval& interval) {
  return fmt::format("{} to {} %", percent(interval.low), percent(interval.high));
}

std::string verdict_sentence(const Comparison& comparison) {
  const Entry& primary = comparison.entries.front();
  const std::string_view verdict = stats::verdict_text(comparison.verdict);
  const bool own_reason = comparison.verdict != primary.result.verdict;
  if (!primary.is_finding || own_reason) {
    return fmt::format("{}: {}", verdict, comparison.reason);
  }
  std::string sentence =
      fmt::format("{}: {} against {}, {}: {}", verdict, primary.changed_role, primary.baseline_role,
                  place_of(primary), effect_text(comparison, primary));
  if (comparison.verdict == Verdict::kInconclusive) {
    sentence +=
        fmt::format(", too wide for a threshold of {:g} %", 100.0 * comparison.settings.threshold);
  }
  return sentence;
}

std::string family_sentence(const Comparison& comparison) {
  const std::size_t others = comparison.entries.size() - 1;
  if (others == 0) {
    return {};
  }
  std::map<Verdict, std::size_t> counts;
  for (std::size_t i = 1; i < comparison.entries.size(); ++i) {
    ++counts[comparison.entries[i].result.verdict];
  }
  std::vector<std::string> parts;
  parts.reserve(counts.size());
  for (const auto& [verdict, count] : counts) {
    parts.push_back(fmt::format("{} {}", count, stats::verdict_text(verdict)));
  }
  return fmt::format("1 primary and {} other comparison{}, Holm-corrected: {}", others,
                     others == 1 ? "" : "s", fmt::join(parts, ", "));
}

std::vector<std::string> method_lines(const Comparison& comparison) {
  const Entry& primary = comparison.entries.front();
  const stats::Result& result = primary.result;
  std::vector<std::string> lines;
  lines.push_back(fmt::format("n: {} boots in order {}, {} rounds each", comparison.points.size(),
                              comparison.order, fewest_rounds(primary)));
  lines.push_back(fmt::format("primary: {}, {} against {}; threshold {:g} %", place_of(primary),
                              primary.changed_role, primary.baseline_role,
                              100.0 * comparison.settings.threshold));
  lines.push_back("interval: " + interval_method(comparison, primary));
  if (primary.is_finding) {
    lines.push_back(fmt::format("drawn {} times with seed {}: percentile {}, BCa {}",
                                comparison.settings.resamples, comparison.settings.seed,
                                interval_text(result.percentile), interval_text(result.bca)));
    lines.push_back(
        fmt::format("without the first rounds: {} %", percent(result.delta_without_first)));
  }
  return lines;
}

std::string drift_text(const stats::Result& result) {
  const auto& a = result.baseline.drift;
  const auto& b = result.changed.drift;
  if (!a && !b) {
    return "-";
  }
  const double first = a.value_or(0.0);
  const double second = b.value_or(0.0);
  return percent(std::abs(second) > std::abs(first) ? second : first);
}

std::string cv_text(const stats::Result& result) {
  double largest = 0.0;
  for (const auto* role : {&result.baseline, &result.changed}) {
    for (const stats::BootSummary& boot : role->boots) {
      largest = std::max(largest, boot.all.cv);
    }
  }
  return percent(largest, Sign::kPlain);
}

std::string_view gate_state_text(GateState state) noexcept {
  constexpr std::array<std::string_view, 4> kTexts = {"passed", "FAILED", "unknown", "waived"};
  return kTexts.at(static_cast<std::size_t>(state));
}

std::string_view gate_state_name(GateState state) noexcept {
  return state == GateState::kFailed ? "failed" : gate_state_text(state);
}

std::string_view weight_name(comparison::Weight weight) noexcept {
  constexpr std::array<std::string_view, 4> kNames = {"under_test", "blocks", "confound", "listed"};
  return kNames.at(static_cast<std::size_t>(weight));
}

std::vector<GateLine> gate_lines(const Comparison& comparison) {
  std::vector<GateLine> lines;
  for (const stats::Gate& gate : comparison.identity) {
    lines.push_back({gate.name, gate.state, gate.figure,
                     gate.state == GateState::kFailed ? gate.advice : std::string()});
  }
  for (std::size_t i = 0; i < comparison.entries.front().result.gates.size(); ++i) {
    add_stability_lines(lines, comparison, i);
  }
  return lines;
}

std::vector<std::string> doubt_lines(const Comparison& comparison) {
  std::vector<std::string> order;
  std::map<std::string, std::size_t> counts;
  for (const Entry& entry : comparison.entries) {
    for (const std::string& doubt : entry.result.doubts) {
      if (++counts[doubt] == 1) {
        order.push_back(doubt);
      }
    }
  }
  return order;
}

std::string difference_text(const Comparison& comparison,
                            const comparison::Difference& difference) {
  std::vector<std::string> parts;
  for (const std::string& role : comparison.roles) {
    std::vector<std::string> values;
    for (std::size_t i = 0; i < comparison.points.size(); ++i) {
      const std::string& value = difference.values[i];
      if (comparison.points[i].role == role &&
          std::find(values.begin(), values.end(), value) == values.end()) {
        values.push_back(value);
      }
    }
    parts.push_back(fmt::format("{} in {}", fmt::join(values, " and "), role));
  }
  // What is unknown everywhere may differ unseen, so it is listed, but once.
  const auto& values = difference.values;
  if (std::all_of(values.begin(), values.end(),
                  [&](const std::string& value) { return value == values.front(); })) {
    return fmt::format("{}: {} in all points", difference.key, values.front());
  }
  return fmt::format("{}: {}", difference.key, fmt::join(parts, ", "));
}

}  // namespace msgring::report
