// SPDX-License-Identifier: MIT
// Verdicts, gates and Holm's correction on data whose answers are known.
#include "msgring/stats/contrast.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace msgring::stats {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

// `n` rounds around `mean` whose cv is about `cv`: +cv, -cv, +cv, ... and one at the mean.
std::vector<double> rounds_around(double mean, double cv, int n = 15) {
  std::vector<double> rounds;
  rounds.reserve(static_cast<std::size_t>(n));
  for (int i = 0; i < n - 1; ++i) {
    rounds.push_back(mean * (1.0 + (i % 2 == 0 ? cv : -cv)));
  }
  rounds.push_back(mean);
  return rounds;
}

Contrast aba(double a1, double b, double a2, double cv = 0.003) {
  return {"fill",
          {{"a1", "", rounds_around(a1, cv)}, {"a2", "", rounds_around(a2, cv)}},
          {{"b", "", rounds_around(b, cv)}},
          Replication::kBoots};
}

Result answer(const Contrast& contrast, const Settings& settings = {}) {
  return compare({&contrast, 1}, settings).front();
}

const Gate& gate_of(const Result& result, std::string_view name) {
  for (const Gate& gate : result.gates) {
    if (gate.name == name) {
      return gate;
    }
  }
  throw std::logic_error("no such gate");
}

TEST(Contrast, MidpointBaselineDeltaAndDrift) {
  const Result result = answer(aba(100.0, 112.0, 101.0));
  EXPECT_DOUBLE_EQ(result.baseline.mean, 100.5);
  EXPECT_NEAR(result.delta, 112.0 / 100.5 - 1.0, 1e-12);
  EXPECT_NEAR(*result.baseline.drift, 0.01, 1e-12);
  EXPECT_FALSE(result.changed.drift);
  EXPECT_EQ(result.verdict, Verdict::kSlower);
}

TEST(Contrast, VerdictFollowsTheIntervalNotTheEstimate) {
  EXPECT_EQ(answer(aba(100, 112, 100)).verdict, Verdict::kSlower);
  EXPECT_EQ(answer(aba(100, 90, 100)).verdict, Verdict::kFaster);
  EXPECT_EQ(answer(aba(100, 100.1, 100)).verdict, Verdict::kUnchanged);
  // +1.3 % with 2.5 % rounds: the interval holds 1 %
  const Result wide = answer(aba(100, 101.3, 100, 0.025));
  EXPECT_EQ(wide.verdict, Verdict::kInconclusive);
  EXPECT_THAT(wide.reason, HasSubstr("too wide"));
  Settings strict;
  strict.threshold = 0.0005;
  EXPECT_NE(answer(aba(100, 100.1, 100), strict).verdict, Verdict::kUnchanged);
}

TEST(Contrast, OneBootOfARoleWidensByTheDriftAndSaysSo) {
  const Result result = answer(aba(100, 112, 101));
  EXPECT_NEAR(result.widening, 0.01, 1e-12);
  EXPECT_DOUBLE_EQ(result.interval.low, result.percentile.low - result.widening);
  EXPECT_DOUBLE_EQ(result.interval.high, result.percentile.high + result.widening);
  EXPECT_THAT(result.doubts, testing::Contains(HasSubstr("b was booted once")));
  Contrast abba = aba(100, 112, 101);
  abba.changed.push_back({"b2", "", rounds_around(112, 0.003)});
  EXPECT_DOUBLE_EQ(answer(abba).widening, 0.0);
}

TEST(Contrast, AnEffectWithinTheDriftIsNoFinding) {
  // +1.9 % against a drift of 1.95 %: outside the threshold, but no more than the machine's own
  EXPECT_EQ(answer(aba(100, 102.893, 101.95, 0.0001)).verdict, Verdict::kInconclusive);
}

TEST(Gates, EachFailsAloneWithItsFigure) {
  const Result drift = answer(aba(101.239, 114.010, 103.917));
  EXPECT_EQ(drift.verdict, Verdict::kInconclusive);
  EXPECT_EQ(gate_of(drift, "drift").state, GateState::kFailed);
  EXPECT_THAT(drift.reason, HasSubstr("gate drift failed: |+2.645 %| >= 2 %"));

  const Result noisy = answer(aba(100, 130, 100, 0.04));
  EXPECT_EQ(gate_of(noisy, "cv").state, GateState::kFailed);
  EXPECT_EQ(noisy.verdict, Verdict::kInconclusive);

  Contrast first = aba(100, 100, 100, 0.001);
  first.changed[0].rounds[0] = 110.0;  // 10 % / 15 rounds = 0.67 points from the first round alone
  EXPECT_EQ(gate_of(answer(first), "drop_first").state, GateState::kFailed);

  Contrast few = aba(100, 112, 100);
  few.changed[0].rounds.resize(2);
  EXPECT_EQ(gate_of(answer(few), "rounds").state, GateState::kFailed);
  EXPECT_THAT(gate_of(answer(few), "rounds").figure, HasSubstr("2 per boot < 3"));
}

TEST(Gates, ADriftThatNobodySawIsUnknown) {
  Contrast ab = aba(100, 112, 100);
  ab.baseline.pop_back();
  const Result result = answer(ab);
  EXPECT_EQ(gate_of(result, "drift").state, GateState::kUnknown);
  EXPECT_EQ(result.verdict, Verdict::kInconclusive);
}

Contrast seeds(std::initializer_list<double> deltas) {
  Contrast contrast{"fill", {}, {}, Replication::kSeeds};
  int seed = 1;
  for (const double delta : deltas) {
    const std::string name = std::to_string(seed++);
    contrast.baseline.push_back({"a1", name, rounds_around(1000, 0.001)});
    contrast.changed.push_back({"b", name, rounds_around(1000 * (1 + delta), 0.001)});
    contrast.baseline.push_back({"a2", name, rounds_around(1000, 0.001)});
  }
  return contrast;
}

TEST(Seeds, TheIntervalIsStudentsOverOneDeltaPerSeed) {
  const Result result = answer(seeds({0.38, 0.39, 0.40}));
  ASSERT_THAT(result.seed_deltas, SizeIs(3));
  EXPECT_NEAR(result.delta, 0.39, 1e-12);
  // sd 0.01, half width 4.302653 * 0.01 / sqrt 3 = 0.02484
  EXPECT_NEAR(result.interval.low, 0.39 - 0.0248414, 1e-6);
  EXPECT_NEAR(result.interval.high, 0.39 + 0.0248414, 1e-6);
  EXPECT_EQ(result.verdict, Verdict::kSlower);
  EXPECT_EQ(gate_of(result, "drift").figure, "exactly 0 within each seed");
}

TEST(Seeds, OneInstructionOfDriftFailsAndNamesTheRound) {
  Contrast contrast = seeds({0.38, 0.39, 0.40});
  contrast.baseline[3].rounds[7] += 1e-9;
  const Result result = answer(contrast);
  EXPECT_EQ(result.verdict, Verdict::kInconclusive);
  EXPECT_THAT(gate_of(result, "drift").figure, HasSubstr("differ from round 7 on (seed 2)"));
}

TEST(Seeds, OneKernelAgainstItselfIsUnchanged) {
  const Result result = answer(seeds({0.0, 0.0, 0.0}));
  EXPECT_EQ(result.verdict, Verdict::kUnchanged);
  EXPECT_EQ(result.interval, (Interval{0.0, 0.0}));
}

TEST(Seeds, OneSeedSaysWhatItCannotKnow) {
  const Result result = answer(seeds({0.39}));
  EXPECT_EQ(result.verdict, Verdict::kSlower);
  EXPECT_THAT(result.doubts, testing::Contains(HasSubstr("one seed")));
}

TEST(Holm, ThePrimaryKeepsItsLevelAndTheRestShareTheError) {
  std::vector<Contrast> family = {aba(100, 112, 100), aba(100, 100, 100), aba(100, 130, 100),
                                  aba(100, 101, 100)};
  for (std::size_t i = 0; i < family.size(); ++i) {
    family[i].name = "phase" + std::to_string(i);
  }
  const auto results = compare(family, {});
  EXPECT_DOUBLE_EQ(results[0].level, 0.95);
  // Of the three others: +30 % is surest, +1 % next, 0 last: 1 - 0.05 / {3, 2, 1}
  EXPECT_DOUBLE_EQ(results[2].level, 1.0 - 0.05 / 3);
  EXPECT_DOUBLE_EQ(results[3].level, 1.0 - 0.05 / 2);
  EXPECT_DOUBLE_EQ(results[1].level, 0.95);
  EXPECT_DOUBLE_EQ(results[2].p_holm, 3 * results[2].p_value);
  EXPECT_GE(results[1].p_holm, results[3].p_holm) << "corrected p-values never fall";
  EXPECT_LE(results[1].p_holm, 1.0);
}

TEST(Holm, OneOtherComparisonNeedsNoCorrection) {
  std::vector<Contrast> family = {aba(100, 112, 100), aba(100, 112, 100)};
  family[1].name = "other";
  EXPECT_DOUBLE_EQ(compare(family, {})[1].level, 0.95);
}

TEST(Compare, IsDeterministicAndIndependentOfItsNeighbours) {
  std::vector<Contrast> family = {aba(100, 112, 101), aba(100, 105, 100)};
  family[1].name = "other";
  const auto both = compare(family, {});
  EXPECT_EQ(both[0].interval, answer(family[0]).interval);
  Settings other_seed;
  other_seed.seed = 2;
  EXPECT_NE(both[0].interval, answer(family[0], other_seed).interval);
}

TEST(Doubts, ModesAndUnequalSpreadsAreNamed) {
  Contrast contrast = aba(100, 112, 100, 0.002);
  EXPECT_THAT(answer(contrast).doubts, SizeIs(1)) << "only that B was booted once";
  for (std::size_t i = 0; i < 15; i += 2) {
    contrast.changed[0].rounds[i] *= 1.05;
  }
  const Result result = answer(contrast);
  EXPECT_THAT(result.doubts, testing::Contains(HasSubstr("b has two modes")));
  EXPECT_THAT(result.doubts, testing::Contains(HasSubstr("spread very unequally")));
}

TEST(Verdict, HasADocumentedSpelling) {
  EXPECT_EQ(verdict_text(Verdict::kSlower), "slower");
  EXPECT_EQ(verdict_text(Verdict::kFaster), "faster");
  EXPECT_EQ(verdict_text(Verdict::kUnchanged), "unchanged");
  EXPECT_EQ(verdict_text(Verdict::kInconclusive), "inconclusive");
  EXPECT_EQ(verdict_text(Verdict::kInvalid), "invalid");
}

}  // namespace
}  // namespace msgring::stats
