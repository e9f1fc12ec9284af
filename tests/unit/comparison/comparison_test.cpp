// SPDX-License-Identifier: MIT
// Points to a Comparison: what is compared with what, which gates fail, what the verdict may be.
#include "msgring/comparison/comparison.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "comparison/comparison_support.hpp"
#include "comparison/sample_points.hpp"
#include "msgring/error.hpp"
#include "msgring/point/reader.hpp"

namespace msgring::comparison {
namespace {

using point::Point;
using stats::GateState;
using stats::Verdict;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;
using testing_points::make_point;
using testing_points::sandwich;

std::string error_of(const std::function<void()>& act, ExitStatus expected) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), expected) << error.what();
    return describe(error);
  }
  ADD_FAILURE() << "accepted";
  return {};
}

TEST(Compare, ThePublicEvidenceGivesItsPublishedFigures) {
  const auto points = point::read_points(MSGRING_TEST_DATA "/tsv/measured-rounds.tsv");
  Plan plan;
  plan.roles = default_roles(points);
  EXPECT_THAT(plan.roles, ElementsAre("A", "B", "A"));
  const Comparison comparison = compare_points(points, plan);
  ASSERT_THAT(comparison.entries, SizeIs(1));
  const stats::Result& result = comparison.entries[0].result;
  // The figures that the report published, to all their digits.
  EXPECT_NEAR(result.baseline.boots[0].all.mean, 102.476302, 5e-7);
  EXPECT_NEAR(result.changed.boots[0].all.mean, 114.440902, 5e-7);
  EXPECT_NEAR(result.baseline.boots[1].all.mean, 102.576074, 5e-7);
  EXPECT_NEAR(100.0 * result.delta, 11.621142, 5e-7);
  EXPECT_NEAR(100.0 * result.delta_without_first, 11.649190, 5e-7);
  EXPECT_NEAR(100.0 * *result.baseline.drift, 0.097361, 5e-7);
  EXPECT_NEAR(100.0 * result.baseline.boots[0].all.cv, 0.705486, 5e-7);
  EXPECT_NEAR(100.0 * result.changed.boots[0].all.cv, 0.289292, 5e-7);
  EXPECT_NEAR(100.0 * result.baseline.boots[1].all.cv, 0.340120, 5e-7);
  EXPECT_EQ(comparison.verdict, Verdict::kSlower);
  EXPECT_EQ(gate_of(comparison, "boots_distinct").state, GateState::kUnknown);
  EXPECT_THAT(comparison.caveats, Contains(HasSubstr("imported table")));
}

TEST(Compare, ADriftingEvidenceIsInconclusiveWithoutAnEffect) {
  auto points = point::read_points(MSGRING_TEST_DATA "/tsv/drifting-rounds.tsv");
  const Comparison comparison = compare_points(points, aba());
  // 103.917269 / 101.239225 - 1 = 2.645 %
  EXPECT_NEAR(100.0 * *comparison.entries[0].result.baseline.drift, 2.645, 5e-4);
  EXPECT_EQ(comparison.verdict, Verdict::kInconclusive);
  EXPECT_FALSE(comparison.entries[0].is_finding);
  EXPECT_THAT(comparison.reason, HasSubstr("gate drift failed: |+2.645 %| >= 2 %"));
}

TEST(Compare, EveryPhaseAndRoleIsAComparisonAndThePrimaryIsFirst) {
  std::vector<Point> points;
  const std::vector<testing_points::PhaseCost> phases = {
      {"register", "registration", 50.0}, {"fill", "install", 100.0}, {"interval", "round", 150.0}};
  for (const char* name : {"u1", "p1", "c1", "c2", "p2", "u2"}) {
    points.push_back(make_point({.name = name,
                                 .kernel = std::string(1, *name),
                                 .factor = *name == 'c' ? 1.1 : 1.0,
                                 .phases = phases}));
  }
  Plan plan;
  plan.roles = {"U", "P", "C", "C", "P", "U"};
  const Comparison comparison = compare_points(points, plan);
  ASSERT_THAT(comparison.entries, SizeIs(6));
  EXPECT_EQ(comparison.entries[0].phase.name, "register");
  EXPECT_EQ(comparison.entries[0].changed_role, "P");
  EXPECT_EQ(comparison.entries[1].result.verdict, Verdict::kSlower) << "C against U";
  plan.against = "P";
  plan.primary = "register_fill/fill";
  const Comparison against = compare_points(points, plan);
  EXPECT_EQ(against.entries[0].phase.name, "fill");
  EXPECT_EQ(against.entries[0].baseline_role, "P");
  EXPECT_EQ(against.entries[0].changed_role, "U");
}

TEST(Compare, KernelsBuiltFromATreeMayDifferInWhatWasBuiltAndSayItFirst) {
  const auto recipe = [](const std::string& name, const std::string& kernel,
                         const std::string& changes, const std::string& compiler) {
    return testing_points::Recipe{.name = name,
                                  .kernel = kernel,
                                  .facts = {{"boot.revision", kernel},
                                            {"boot.config_sha256", changes},
                                            {"boot.compiler", compiler},
                                            {std::string(kConfigChanges), changes}}};
  };
  const std::string changes = "CONFIG_MEMCG y -> n";
  std::vector<Point> points = {make_point(recipe("one", "7.3.4-msgring-0", "none", "gcc 12")),
                               make_point(recipe("two", "7.3.4-msgring-1", changes, "gcc 12")),
                               make_point(recipe("three", "7.3.4-msgring-0", "none", "gcc 12"))};
  const Comparison comparison = compare_points(points, aba());
  EXPECT_EQ(comparison.verdict, Verdict::kUnchanged) << comparison.reason;
  EXPECT_THAT(comparison.caveats, Contains("Options of the configuration that differ from A's: "
                                           "CONFIG_MEMCG y -> n (B)."));
  // Another compiler is not what is under test.
  points[1] = make_point(recipe("two", "7.3.4-msgring-1", changes, "gcc 13"));
  EXPECT_EQ(compare_points(points, aba()).verdict, Verdict::kInvalid);
}

TEST(Compare, AnIntervalThatRepeatsTheOnlyPhaseIsNoComparison) {
  std::vector<Point> points;
  for (const auto& [name, kernel] : {std::pair("a1", "x"), {"b", "y"}, {"a2", "x"}}) {
    points.push_back(
        make_point({.name = name,
                    .kernel = kernel,
                    .phases = {{"fill", "install", 100.0}, {"interval", "round", 6400.0}}}));
  }
  EXPECT_THAT(compare_points(points, aba()).entries, SizeIs(1));
}

TEST(Compare, SeedsAreTheReplicatesOfAnEmulatedMachine) {
  std::vector<Point> points;
  for (const char* seed : {"1", "2", "3"}) {
    for (const char* boot : {"a1", "b", "a2"}) {
      const bool is_b = *boot == 'b';
      const double layout = 1.0 + 0.002 * (*seed - '1');
      points.push_back(make_point({.name = std::string(boot) + "-" + seed,
                                   .kernel = is_b ? "7.1.3" : "6.12.95",
                                   .factor = is_b ? 1.4 * layout : 1.0,
                                   .unit = host::Unit::kInstructions,
                                   .seed = seed}));
    }
  }
  Plan plan;
  plan.roles = default_roles(points);
  const Comparison comparison = compare_points(points, plan);
  EXPECT_EQ(comparison.replication, stats::Replication::kSeeds);
  EXPECT_THAT(comparison.entries[0].result.seed_deltas, SizeIs(3));
  EXPECT_EQ(comparison.verdict, Verdict::kSlower) << comparison.reason;
  EXPECT_THAT(comparison.caveats.front(), StartsWith("Counts instructions"));
}

TEST(Compare, ASeedThatDoesNotRepeatIsInvalidAndItsRoundIsNamed) {
  std::vector<Point> points;
  for (const char* name : {"a1", "b", "a2"}) {
    points.push_back(make_point({.name = name,
                                 .kernel = *name == 'b' ? "7.1.3" : "6.12.95",
                                 .unit = host::Unit::kInstructions,
                                 .seed = "7"}));
  }
  points[2].rows[4].counters["fill_instructions"] += 1.0;
  const Comparison comparison = compare_points(points, aba());
  EXPECT_EQ(comparison.verdict, Verdict::kInvalid);
  EXPECT_EQ(comparison.reason, "gate drift failed: a1 and a2 differ from round 4 on (seed 7)");
  EXPECT_FALSE(comparison.entries[0].is_finding);
}

TEST(BadSets, GiveOneLineEach) {
  const auto refused = [](std::vector<Point> points, ExitStatus status, Plan plan) {
    return error_of([&] { compare_points(points, plan); }, status);
  };
  auto points = sandwich(0.1);
  EXPECT_THAT(refused(points, ExitStatus::kUsage, Plan{}), StartsWith("0 roles for 3 points"));
  Plan one_role;
  one_role.roles = {"A", "A", "A"};
  EXPECT_THAT(refused(points, ExitStatus::kUsage, one_role), HasSubstr("nothing to compare"));
  Plan against = aba();
  against.against = "Z";
  EXPECT_THAT(refused(points, ExitStatus::kUsage, against), HasSubstr("the roles are A, B"));
  Plan primary = aba();
  primary.primary = "refill";
  EXPECT_THAT(refused(points, ExitStatus::kUsage, primary),
              HasSubstr("measured were register_fill slots:64/fill"));

  points[2] = points[0];
  EXPECT_THAT(refused(points, ExitStatus::kInvalid, aba()),
              StartsWith("a1.json: is the same measurement as a1.json"));
  points = sandwich(0.1);
  points[1] = make_point({.name = "b", .kernel = "7.1.3", .unit = host::Unit::kInstructions});
  EXPECT_THAT(refused(points, ExitStatus::kInvalid, aba()),
              StartsWith("b.json:40: counts instructions, but a1.json counts ns"));
  points[1] = make_point({.name = "b", .kernel = "7.1.3", .rounds = 14});
  EXPECT_THAT(refused(points, ExitStatus::kInvalid, aba()), HasSubstr("the last of 14 rounds"));
  points[1] = make_point({.name = "b", .kernel = "7.1.3", .phases = {{"remove", "removal", 9.0}}});
  EXPECT_THAT(refused(points, ExitStatus::kInvalid, aba()), HasSubstr("other phases"));
}

TEST(BadSets, BadRowsAreNamedWithFileAndLine) {
  const auto damaged = [](const std::function<void(point::Row&)>& damage) {
    auto points = sandwich(0.1);
    damage(points[1].rows[3]);
    return error_of([&] { compare_points(points, aba()); }, ExitStatus::kInvalid);
  };
  const std::string place = "b.json:100: register_fill slots:64, round ";
  EXPECT_THAT(damaged([](point::Row& row) {
                row.valid = false;
                row.why = "real_time is NaN";
              }),
              StartsWith(place + "3: real_time is NaN"));
  EXPECT_THAT(damaged([](point::Row& row) { row.repetition = 2; }),
              StartsWith(place + "2: stands twice"));
  EXPECT_THAT(damaged([](point::Row& row) { row.counters["fill_operations"] = 0.0; }),
              StartsWith(place + "3: no cost in its phase fill"));
  EXPECT_THAT(damaged([](point::Row& row) { row.workload = "refill"; }),
              HasSubstr("measured refill slots:64, register_fill slots:64, but a1.json measured"));
}

TEST(BadSets, AFailedCheckCounterIsInvalidWithItsPlace) {
  auto points = sandwich(0.1);
  points[1].rows[3].counters["check.cqe_lost"] = 2.0;
  const Comparison comparison = compare_points(points, aba());
  EXPECT_EQ(comparison.verdict, Verdict::kInvalid);
  EXPECT_EQ(gate_of(comparison, "checks").figure, "b.json:100: check.cqe_lost: 2 failures");
}

TEST(DefaultRoles, FollowTheUsualOrders) {
  EXPECT_THAT(default_roles(sandwich(0.0)), ElementsAre("A", "B", "A"));
  auto four = sandwich(0.0);
  four.push_back(make_point({.name = "x"}));
  EXPECT_THAT(default_roles(four), ElementsAre("A", "B", "B", "A"));
  four.pop_back();
  four.pop_back();
  error_of([&] { default_roles(four); }, ExitStatus::kUsage);
  EXPECT_THAT(roles_from_order("AB", 4), ElementsAre("A", "B", "A", "B"));
  error_of([] { roles_from_order("ABA", 4); }, ExitStatus::kUsage);
}

}  // namespace
}  // namespace msgring::comparison
