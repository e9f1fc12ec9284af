// SPDX-License-Identifier: MIT
// A contrast: one role against another in one phase of one workload. From rounds to a verdict.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "msgring/stats/distribution.hpp"
#include "msgring/stats/summary.hpp"

namespace msgring::stats {

/// What is replicated: boots of a real machine, or seeds of an emulated one, each seed with a
/// sandwich of its own whose drift must be exactly 0.
enum class Replication { kBoots, kSeeds };

/// How much a number has to prove, and how the interval is drawn.
struct Settings {
  double threshold = 0.01;  ///< a delta within +-threshold is no change
  double level = 0.95;
  std::size_t resamples = 10'000;
  std::uint64_t seed = 20'260'101;
  double cv_limit = 0.03;
  double drift_limit = 0.02;
  std::size_t min_rounds = 3;
};

/// Costs per operation of one boot's rounds, in measured order.
struct Boot {
  std::string label;
  std::string seed;  ///< of the emulated machine; ignored when boots are the replicates
  std::vector<double> rounds;
};

/// The data of one contrast: boots in measured order, every one with rounds.
struct Contrast {
  std::string name;  ///< unique; decides the random numbers
  std::vector<Boot> baseline;
  std::vector<Boot> changed;
  Replication replication = Replication::kBoots;
};

struct BootSummary {
  std::string label;
  std::string seed;
  Summary all;
  Summary without_first;
};

/// One role of a contrast. `mean` is the mean of its boots' means.
struct RoleSummary {
  std::vector<BootSummary> boots;
  double mean = 0.0;
  double mean_without_first = 0.0;
  std::optional<double>
      drift;  ///< last boot / first - 1; the largest over seeds; none with one boot
};

/// `kWaived`: it would have failed, and the user said that it may.
enum class GateState { kPassed, kFailed, kUnknown, kWaived };

/// A rule that a number must pass before it may be believed.
struct Gate {
  std::string name;  ///< `cv`, `drift`, `drop_first`, `rounds`
  GateState state = GateState::kPassed;
  std::string figure;  ///< what was seen and the limit: "0.705 % < 3 %"
  std::string advice;  ///< what to do if it failed
};

enum class Verdict { kSlower, kFaster, kUnchanged, kInconclusive, kInvalid };

/// "slower", ... as reports and files spell it.
std::string_view verdict_text(Verdict verdict) noexcept;

/// What a contrast says. Deltas, drifts and interval ends are fractions of the baseline.
struct Result {
  RoleSummary baseline;
  RoleSummary changed;
  double delta = 0.0;
  double delta_without_first = 0.0;
  std::vector<double> seed_deltas;  ///< one per seed, in order of appearance
  double level = 0.95;              ///< of the intervals, after Holm's correction
  Interval interval;      ///< the one that the verdict uses: percentile, or Student's over
                          ///< seeds, widened by `widening`
  Interval percentile;    ///< as drawn, at `level`
  Interval bca;           ///< as drawn, at `level`
  double widening = 0.0;  ///< |drift|, added on both sides where a role has one boot only
  double p_value = 1.0;   ///< against no change, before Holm
  double p_holm = 1.0;    ///< after it; the primary's is its own
  std::vector<Gate> gates;
  std::vector<std::string> doubts;  ///< what a reader should know and no gate decides
  Verdict verdict = Verdict::kInconclusive;
  std::string reason;  ///< why, in one clause with figures
};

/// Answers a family of contrasts, the first being the primary: its interval is at `settings.level`,
/// the others' at the levels of Holm's step-down order over all but the primary.
/// Pure: the same input gives the same output to the last bit on every machine.
std::vector<Result> compare(std::span<const Contrast> contrasts, const Settings& settings);

}  // namespace msgring::stats
