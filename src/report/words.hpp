// SPDX-License-Identifier: MIT
// The phrases that every report shares: one fact is said in one way.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "msgring/comparison/comparison.hpp"

namespace msgring::report {

using comparison::Comparison;
using comparison::Entry;

/// A fraction as signed percent, "+11.621"; no sign for `kPlain`.
enum class Sign { kAlways, kPlain };
std::string percent(double fraction, Sign sign = Sign::kAlways);

/// A cost with the digits that matter: 3 decimals below 10,000, one above.
std::string cost(double value);

/// "ns per install", "instructions per install".
std::string unit_per(const Comparison& comparison, const Entry& entry);

/// "first_fill slots:4096 batch:64, phase fill"
std::string place_of(const Entry& entry);

/// "+11.213 to +12.045 %"
std::string interval_text(const stats::Interval& interval);

/// What the whole comparison says, without a full stop: "slower: B against A, ...". An effect
/// stands in it only if it is a finding.
std::string verdict_sentence(const Comparison& comparison);

/// How many comparisons there are and what became of them; empty for a single one.
std::string family_sentence(const Comparison& comparison);

/// How the intervals were made, seeds and numbers of rounds included.
std::vector<std::string> method_lines(const Comparison& comparison);

/// The largest |drift| of an entry's roles with its sign, "+0.097"; "-" if no role was booted
/// twice.
std::string drift_text(const stats::Result& result);

/// The largest CV of an entry's boots, in percent, "0.705".
std::string cv_text(const stats::Result& result);

/// A gate's state for people, where a failure stands out: "passed", "FAILED", "unknown", "waived".
std::string_view gate_state_text(stats::GateState state) noexcept;
/// The same for files: "passed", "failed", "unknown", "waived".
std::string_view gate_state_name(stats::GateState state) noexcept;
/// "under_test", "blocks", "confound", "listed".
std::string_view weight_name(comparison::Weight weight) noexcept;

/// One gate of the comparison with all that is to be said about it.
struct GateLine {
  std::string name;
  stats::GateState state;
  std::string figure;
  std::string advice;  ///< empty unless it failed
};

/// The identity gates, then the stability gates: one line for a gate that all entries passed, with
/// the worst figure of the primary, and one for each entry that failed it.
std::vector<GateLine> gate_lines(const Comparison& comparison);

/// All doubts, each once, named with its entry if there are several entries.
std::vector<std::string> doubt_lines(const Comparison& comparison);

/// A difference in one line: "kernel.release: 6.12.95 in A, 7.1.3 in B".
std::string difference_text(const Comparison& comparison, const comparison::Difference& difference);

}  // namespace msgring::report
