// SPDX-License-Identifier: MIT
// Which points may be compared at all: the identity gates, and the differences that are named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "comparison/comparison_support.hpp"
#include "comparison/sample_points.hpp"
#include "msgring/comparison/comparison.hpp"
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
using testing_points::sandwich;

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

TEST(Differences, OfWhatAKernelTellsOfTheCpuDoNotMakeItAnotherMachine) {
  const auto with = [](const char* name, const char* kernel, const char* kind) {
    return make_point({.name = name, .kernel = kernel, .facts = {{"cpu.kind", kind}}});
  };
  // 6.12 has no cpu_capacity for a CPU of which 7.x says that it is one of equals.
  const Comparison comparison = compare_points(
      {with("a1", "6.12.117", "absent (no cpu_capacity)"), with("b", "7.3.4", "uniform"),
       with("a2", "6.12.117", "absent (no cpu_capacity)")},
      aba());
  EXPECT_THAT(confounds_of(comparison), ElementsAre("cpu.kind"));
  EXPECT_NE(comparison.verdict, Verdict::kInvalid) << comparison.reason;
}

}  // namespace
}  // namespace msgring::comparison
