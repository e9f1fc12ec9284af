// SPDX-License-Identifier: MIT
// Points to a Comparison: what is compared with what, which gates fail, what the verdict may be.
#include "msgring/comparison/comparison.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

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
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;
using testing_points::make_point;
using testing_points::Recipe;
using testing_points::sandwich;

Plan aba() {
  Plan plan;
  plan.roles = {"A", "B", "A"};
  return plan;
}

const stats::Gate& gate_of(const Comparison& comparison, std::string_view name) {
  for (const stats::Gate& gate : comparison.identity) {
    if (gate.name == name) {
      return gate;
    }
  }
  throw std::logic_error("no such gate");
}

std::vector<std::string> confounds_of(const Comparison& comparison) {
  std::vector<std::string> keys;
  for (const Difference& difference : comparison.differences) {
    if (difference.weight == Weight::kConfound) {
      keys.push_back(difference.key);
    }
  }
  return keys;
}

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

TEST(Compare, SoundPointsPassEveryGate) {
  const Comparison comparison = compare_points(sandwich(0.12), aba());
  for (const stats::Gate& gate : comparison.identity) {
    EXPECT_EQ(gate.state, GateState::kPassed) << gate.name << ": " << gate.figure;
  }
  EXPECT_EQ(comparison.verdict, Verdict::kSlower);
  EXPECT_NEAR(comparison.entries[0].result.delta, 0.12, 1e-9);
  EXPECT_EQ(comparison.arguments, "--slots 64");
  EXPECT_EQ(comparison.checks.verified, 90U) << "2 checks in 3 boots of 15 rounds";
  EXPECT_THAT(comparison.caveats, IsEmpty());
  EXPECT_EQ(compare_points(sandwich(-0.12), aba()).verdict, Verdict::kFaster);
  EXPECT_EQ(compare_points(sandwich(0.001), aba()).verdict, Verdict::kUnchanged);
}

struct IdentityDamage {
  const char* name;
  std::size_t point;
  const char* key;
  const char* value;
  const char* gate;
  const char* figure;
};

void PrintTo(const IdentityDamage& damage, std::ostream* out) { *out << damage.name; }

class Identity : public testing::TestWithParam<IdentityDamage> {};

TEST_P(Identity, EachDamageFailsExactlyItsGate) {
  const IdentityDamage& damage = GetParam();
  auto points = sandwich(0.12);
  const std::string kernel = damage.point == 1 ? "7.1.3" : "6.12.95";
  points[damage.point] = make_point({.name = points[damage.point].label,
                                     .kernel = kernel,
                                     .factor = damage.point == 1 ? 1.12 : 1.0,
                                     .facts = {{damage.key, damage.value}}});
  const Comparison comparison = compare_points(points, aba());
  for (const stats::Gate& gate : comparison.identity) {
    const bool expected = gate.name == damage.gate;
    EXPECT_EQ(gate.state == GateState::kFailed, expected) << gate.name << ": " << gate.figure;
  }
  EXPECT_THAT(gate_of(comparison, damage.gate).figure, HasSubstr(damage.figure));
  EXPECT_EQ(comparison.verdict, Verdict::kInvalid);
  EXPECT_FALSE(comparison.entries[0].is_finding);
}

INSTANTIATE_TEST_SUITE_P(
    Compare, Identity,
    testing::Values(
        IdentityDamage{"one_boot", 2, "kernel.boot_id", "boot-a1", "boots_distinct",
                       "a1 and a2 are one boot (boot_id boot-a1)"},
        IdentityDamage{"unknown_boot", 1, "kernel.boot_id", "unknown (not readable)",
                       "boots_distinct", "b: kernel.boot_id is unknown"},
        IdentityDamage{"other_build", 2, "kernel.build_id", "rebuilt", "kernel_in_role",
                       "kernel.build_id is \"build-6.12.95\" in a1 and \"rebuilt\" in a2"},
        IdentityDamage{"other_cmdline", 2, "kernel.cmdline", "quiet nosmt", "kernel_in_role",
                       "kernel.cmdline"},
        IdentityDamage{"other_binary", 1, "msgring.binary_sha256", "b", "binary", "in b"},
        IdentityDamage{"unknown_binary", 1, "msgring.binary_sha256", "unknown (no /proc)", "binary",
                       "b: msgring.binary_sha256 is unknown"},
        IdentityDamage{"other_cpu", 1, "cpu.pinned", "3", "machine",
                       "cpu.pinned is \"2\" in a1 and \"3\" in b"},
        IdentityDamage{"unknown_cpu", 0, "cpu.model", "unknown (no /proc)", "machine",
                       "a1: cpu.model is unknown"},
        IdentityDamage{"governor", 1, "cpu.governor", "powersave", "machine", "cpu.governor"},
        IdentityDamage{"clocksource", 1, "cpu.clocksource", "hpet", "machine", "cpu.clocksource"},
        IdentityDamage{"ring_flags", 1, "msgring.workload.register_fill.target_flags",
                       "defer_taskrun", "machine", "target_flags"},
        IdentityDamage{"liburing", 1, "lib.liburing", "2.14", "machine", "lib.liburing"},
        IdentityDamage{"arguments", 1, "msgring.arguments", "--slots 64 --batch 1", "machine",
                       "msgring.arguments"},
        IdentityDamage{"incomplete", 1, "msgring.complete", "no (interrupted)", "checks",
                       "msgring.complete is \"no (interrupted)\""}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(Compare, OneKernelInBothRolesIsInvalidUnlessAA) {
  auto points = sandwich(0.0);
  points[1] = make_point({.name = "b"});
  EXPECT_EQ(gate_of(compare_points(points, aba()), "kernel_across_roles").state,
            GateState::kFailed);
  Plan plan = aba();
  plan.a_a = true;
  const Comparison itself = compare_points(points, plan);
  EXPECT_EQ(itself.verdict, Verdict::kUnchanged) << itself.reason;
  points[1] = make_point({.name = "b", .factor = 1.05});
  const Comparison found = compare_points(points, plan);
  EXPECT_EQ(found.verdict, Verdict::kInvalid);
  EXPECT_THAT(found.reason, HasSubstr("one kernel differs from itself"));
  EXPECT_EQ(gate_of(compare_points(sandwich(0.0), plan), "one_kernel").state, GateState::kFailed);
}

TEST(Compare, OneKernelWithAnotherBootParameterMayBeCompared) {
  auto points = sandwich(0.0);
  points[1] = make_point({.name = "b", .facts = {{"kernel.cmdline", "quiet slab_nomerge"}}});
  const Comparison comparison = compare_points(points, aba());
  EXPECT_EQ(comparison.verdict, Verdict::kUnchanged);
  ASSERT_THAT(comparison.differences, SizeIs(1));
  EXPECT_EQ(comparison.differences[0].weight, Weight::kUnderTest);
}

TEST(Compare, SameBootIsNeverEvidence) {
  std::vector<Point> points;
  for (const char* name : {"p1", "p2", "p3"}) {
    points.push_back(make_point({.name = name,
                                 .factor = name == std::string("p2") ? 1.05 : 1.0,
                                 .facts = {{"kernel.boot_id", "one"}}}));
  }
  EXPECT_EQ(compare_points(points, aba()).verdict, Verdict::kInvalid);
  Plan plan = aba();
  plan.same_boot = true;
  const Comparison tried = compare_points(points, plan);
  EXPECT_EQ(tried.verdict, Verdict::kInconclusive);
  EXPECT_FALSE(tried.entries[0].is_finding);
  EXPECT_THAT(tried.caveats.front(), StartsWith("No evidence"));
  EXPECT_EQ(gate_of(tried, "boots_distinct").state, GateState::kWaived);
}

TEST(Compare, ABootIdThatChangedWithoutABootIsSeen) {
  auto points = sandwich(0.12);
  points[0] = make_point({.name = "a1", .facts = {{"kernel.btime", "1000"}}});
  points[2] = make_point({.name = "a2", .facts = {{"kernel.btime", "1000"}}});
  EXPECT_THAT(gate_of(compare_points(points, aba()), "boots_distinct").figure,
              HasSubstr("started in one second"));
}

TEST(Compare, ConfoundsAreNamedFirstAndAllowedKeysBecomeConfounds) {
  auto points = sandwich(0.12);
  points[1] =
      make_point({.name = "b",
                  .kernel = "7.1.3",
                  .factor = 1.12,
                  .facts = {{"kernel.preempt_mode", "lazy"}, {"cpu.governor", "powersave"}}});
  Plan plan = aba();
  plan.allowed = {"cpu.governor"};
  const Comparison comparison = compare_points(points, plan);
  EXPECT_EQ(comparison.verdict, Verdict::kSlower);
  EXPECT_EQ(
      comparison.caveats.front(),
      "Not the only difference: kernel.preempt_mode (voluntary in A, lazy in B); cpu.governor "
      "(performance in A, powersave in B).");
}

TEST(Compare, TwoUnknownsAreNeverEqual) {
  std::vector<Point> points;
  for (const auto& [name, kernel] :
       {std::pair("a1", "6.12.95"), {"b", "7.1.3"}, {"a2", "6.12.95"}}) {
    points.push_back(make_point({.name = name,
                                 .kernel = kernel,
                                 .facts = {{"kernel.preempt_mode", "unknown (no debugfs)"},
                                           {"cpu.governor", "absent (no cpufreq)"}}}));
  }
  const Comparison comparison = compare_points(points, aba());
  const auto has_key = [&](const char* key) {
    return std::any_of(comparison.differences.begin(), comparison.differences.end(),
                       [&](const Difference& difference) { return difference.key == key; });
  };
  EXPECT_TRUE(has_key("kernel.preempt_mode"));
  EXPECT_FALSE(has_key("cpu.governor")) << "absent twice is one and the same fact";
  EXPECT_EQ(comparison.verdict, Verdict::kUnchanged);
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

TEST(Differences, OfMitigationsAreOnlyThoseThatThisCpuNeeds) {
  const auto with = [](const char* name, const char* kernel, const char* mitigations) {
    return make_point(
        {.name = name, .kernel = kernel, .facts = {{"cpu.mitigations", mitigations}}});
  };
  const std::string parent = "l1tf: Not affected | spectre_v1: Mitigation: barriers";
  // The newer kernel has heard of one more that this CPU does not have: no difference.
  const std::string child =
      "l1tf: Not affected | spectre_v1: Mitigation: barriers | tsa: Not affected";
  std::vector<Point> points = {with("a1", "6.12.95", parent.c_str()),
                               with("b", "7.1.3", child.c_str()),
                               with("a2", "6.12.95", parent.c_str())};
  EXPECT_THAT(confounds_of(compare_points(points, aba())), IsEmpty());
  points[1] =
      with("b", "7.1.3",
           "l1tf: Not affected | spectre_v1: Mitigation: barriers | vmscape: Mitigation: IBPB");
  const Comparison comparison = compare_points(points, aba());
  EXPECT_THAT(confounds_of(comparison), ElementsAre("cpu.mitigations.vmscape"));
  EXPECT_THAT(comparison.caveats, Contains("Not the only difference: cpu.mitigations.vmscape (none "
                                           "in A, Mitigation: IBPB in B)."));
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
