// SPDX-License-Identifier: MIT
// The family of contrasts: effects, Holm's correction, intervals, verdicts.
#include "msgring/stats/contrast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "msgring/stats/random.hpp"
#include "stats/gates.hpp"
#include "stats/role.hpp"

namespace msgring::stats {
namespace {

// A result that still lacks its level, and what its interval will be read off.
struct Draft {
  Result result;
  Distribution drawn;
  bool student = false;  // over seeds
};

bool has_both_roles(const SeedSandwich& sandwich) {
  return !sandwich.baseline.empty() && !sandwich.changed.empty();
}

std::vector<double> deltas_of_seeds(const Contrast& contrast, std::size_t skip) {
  std::vector<double> deltas;
  for (const SeedSandwich& sandwich : sandwiches_of(contrast)) {
    if (has_both_roles(sandwich)) {
      deltas.push_back(role_mean(sandwich.changed, skip) / role_mean(sandwich.baseline, skip) -
                       1.0);
    }
  }
  return deltas;
}

Result summarize_contrast(const Contrast& contrast) {
  Result result;
  result.baseline = summarize_role(contrast.baseline, contrast.replication);
  result.changed = summarize_role(contrast.changed, contrast.replication);
  if (contrast.replication == Replication::kSeeds) {
    result.seed_deltas = deltas_of_seeds(contrast, 0);
    result.delta = summarize(result.seed_deltas).mean;
    result.delta_without_first = summarize(deltas_of_seeds(contrast, 1)).mean;
  } else {
    result.delta = result.changed.mean / result.baseline.mean - 1.0;
    result.delta_without_first =
        result.changed.mean_without_first / result.baseline.mean_without_first - 1.0;
  }
  return result;
}

// With one boot of a role its boot-to-boot change cannot be seen: the other role's stands in.
double widening_of(const Contrast& contrast, const Result& result) {
  const bool one_boot = contrast.baseline.size() == 1 || contrast.changed.size() == 1;
  if (!one_boot || contrast.replication == Replication::kSeeds) {
    return 0.0;
  }
  return std::max(std::abs(result.baseline.drift.value_or(0.0)),
                  std::abs(result.changed.drift.value_or(0.0)));
}

Draft draft_of(const Contrast& contrast, const Settings& settings) {
  Result result = summarize_contrast(contrast);
  result.widening = widening_of(contrast, result);
  const std::uint64_t seed = seed_for(settings.seed, contrast.name);
  const bool over_seeds = result.seed_deltas.size() > 1;
  Distribution drawn = over_seeds
                           ? bootstrap_mean(result.seed_deltas, settings.resamples, seed)
                           : bootstrap_delta(rounds_of(contrast.baseline),
                                             rounds_of(contrast.changed), settings.resamples, seed);
  result.p_value =
      over_seeds ? student_p_value(result.seed_deltas) : drawn.p_value(result.widening);
  return {std::move(result), std::move(drawn), over_seeds};
}

// Holm 1979 over all but the primary: the i-th smallest p of m is multiplied by m - i + 1, and its
// interval is drawn at the level that this factor leaves.
void correct_for_family(std::vector<Draft>& drafts, double level) {
  for (Draft& draft : drafts) {
    draft.result.level = level;
    draft.result.p_holm = draft.result.p_value;
  }
  if (drafts.size() < 3) {
    return;
  }
  std::vector<std::size_t> order(drafts.size() - 1);
  std::iota(order.begin(), order.end(), std::size_t{1});
  const auto certainty = [&](std::size_t i) {
    const Draft& draft = drafts[i];
    return std::abs(draft.result.delta) / std::max(draft.drawn.standard_error(), 1e-300);
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const double p_a = drafts[a].result.p_value;
    const double p_b = drafts[b].result.p_value;
    return p_a != p_b ? p_a < p_b : certainty(a) > certainty(b);
  });
  double running = 0.0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    Result& result = drafts[order[rank]].result;
    const auto factor = static_cast<double>(order.size() - rank);
    running = std::min(1.0, std::max(running, factor * result.p_value));
    result.p_holm = running;
    result.level = 1.0 - (1.0 - level) / factor;
  }
}

void read_intervals(Draft& draft) {
  Result& result = draft.result;
  result.percentile = draft.drawn.percentile(result.level);
  result.bca = draft.drawn.bca(result.level);
  const Interval base =
      draft.student ? student_interval(result.seed_deltas, result.level) : result.percentile;
  result.interval = {base.low - result.widening, base.high + result.widening};
}

std::string interval_text(const Result& result) {
  return fmt::format("[{:+.3f}, {:+.3f}] %", 100.0 * result.interval.low,
                     100.0 * result.interval.high);
}

double largest_drift(const Result& result) {
  return std::max(std::abs(result.baseline.drift.value_or(0.0)),
                  std::abs(result.changed.drift.value_or(0.0)));
}

void decide(Result& result, const Settings& settings) {
  const auto failed = std::find_if(result.gates.begin(), result.gates.end(), [](const Gate& gate) {
    return gate.state != GateState::kPassed;
  });
  if (failed != result.gates.end()) {
    result.verdict = Verdict::kInconclusive;
    result.reason = fmt::format(
        "gate {} {}: {}", failed->name,
        failed->state == GateState::kFailed ? "failed" : "cannot be answered", failed->figure);
    return;
  }
  const double threshold = settings.threshold;
  const bool beyond_drift = std::abs(result.delta) > largest_drift(result);
  const std::string limits = fmt::format("+-{:g} %", 100.0 * threshold);
  if (result.interval.low > threshold && beyond_drift) {
    result.verdict = Verdict::kSlower;
    result.reason = fmt::format("the interval {} lies above {}", interval_text(result), limits);
  } else if (result.interval.high < -threshold && beyond_drift) {
    result.verdict = Verdict::kFaster;
    result.reason = fmt::format("the interval {} lies below {}", interval_text(result), limits);
  } else if (result.interval.low > -threshold && result.interval.high < threshold) {
    result.verdict = Verdict::kUnchanged;
    result.reason = fmt::format("the interval {} lies within {}", interval_text(result), limits);
  } else {
    result.verdict = Verdict::kInconclusive;
    result.reason =
        fmt::format("the interval {} is too wide to tell from {}", interval_text(result), limits);
  }
}

void add_replication_doubts(Result& result, const Contrast& contrast) {
  if (contrast.replication == Replication::kSeeds) {
    if (result.seed_deltas.size() == 1) {
      result.doubts.emplace_back(
          "one seed: the interval holds the rounds only, not the memory layout that another seed "
          "would give");
    }
    return;
  }
  for (const auto* role : {&result.baseline, &result.changed}) {
    if (role->boots.size() == 1) {
      result.doubts.push_back(fmt::format(
          "{} was booted once: its boot-to-boot change is unknown, so the interval is widened by "
          "the drift of the other role, {:.3f} points",
          role->boots.front().label, 100.0 * result.widening));
    }
  }
}

}  // namespace

std::string_view verdict_text(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::kSlower:
      return "slower";
    case Verdict::kFaster:
      return "faster";
    case Verdict::kUnchanged:
      return "unchanged";
    case Verdict::kInconclusive:
      return "inconclusive";
    case Verdict::kInvalid:
      return "invalid";
  }
  return "invalid";
}

std::vector<Result> compare(std::span<const Contrast> contrasts, const Settings& settings) {
  std::vector<Draft> drafts;
  for (const Contrast& contrast : contrasts) {
    drafts.push_back(draft_of(contrast, settings));
  }
  correct_for_family(drafts, settings.level);
  std::vector<Result> results;
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    read_intervals(drafts[i]);
    Result& result = drafts[i].result;
    result.gates = stability_gates(contrasts[i], result, settings);
    result.doubts = doubts_about(contrasts[i], result);
    add_replication_doubts(result, contrasts[i]);
    decide(result, settings);
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace msgring::stats
