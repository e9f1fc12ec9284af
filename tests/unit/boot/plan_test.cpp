// SPDX-License-Identifier: MIT
// Plans are read strictly, written so that they read back, and laid out as sandwiches.
#include "msgring/boot/plan.hpp"

#include <gmock/gmock.h>

#include "msgring/error.hpp"

namespace msgring::boot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Plan small_plan() {
  Plan plan;
  plan.roles = {{'A', "6.12", ""}, {'B', "7.1", "slab_nomerge"}};
  return plan;
}

std::vector<std::string> names(const std::vector<PlannedBoot>& boots) {
  std::vector<std::string> result;
  result.reserve(boots.size());
  for (const PlannedBoot& boot : boots) {
    result.push_back(boot.name);
  }
  return result;
}

std::string refusal(const std::string& text) {
  try {
    parse_plan(text, "p.toml");
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), ExitStatus::kUsage);
    return describe(error);
  }
  return "accepted";
}

TEST(PlannedBoots, GivesEverySeedItsOwnSandwichWhenInstructionsAreCounted) {
  Plan plan = small_plan();
  plan.seeds = {1, 7};
  const auto boots = planned_boots(plan, host::Unit::kInstructions);
  EXPECT_THAT(names(boots),
              ElementsAre("s1-01-A", "s1-02-B", "s1-03-A", "s7-01-A", "s7-02-B", "s7-03-A"));
  EXPECT_EQ(boots[2].block, 0U);
  EXPECT_EQ(boots[3].block, 1U);
  EXPECT_EQ(boots[3].seed, 7U);
}

TEST(PlannedBoots, RepeatsTheOrderAndIgnoresSeedsWhereTimeIsMeasured) {
  Plan plan = small_plan();
  plan.order = "ABBA";
  plan.repeat = 2;
  const auto boots = planned_boots(plan, host::Unit::kNanoseconds);
  EXPECT_THAT(names(boots),
              ElementsAre("01-A", "02-B", "03-B", "04-A", "05-A", "06-B", "07-B", "08-A"));
  EXPECT_EQ(boots[3].block, 0U);
  EXPECT_EQ(boots[4].block, 1U);
}

TEST(OrderFor, GoesThroughAPatternWithEachFurtherRole) {
  std::vector<RolePlan> roles = small_plan().roles;
  EXPECT_EQ(order_for("ABBA", roles), "ABBA");
  roles.push_back({'C', "7.3", ""});
  EXPECT_EQ(order_for("ABBA", roles), "ABBAACCA");
  EXPECT_EQ(order_for("ABCA", roles), "ABCA");
  EXPECT_EQ(order_for("AA", roles), "AA");  // for check_plan() to refuse
}

TEST(PlanText, ReadsBackAsTheSamePlan) {
  Plan plan = small_plan();
  plan.roles.push_back({'C', "/k/bz \"Image\"", "a=1 b='x'"});
  plan.roles.back().facts = {{"boot.revision", "HEAD~1"}, {"boot.dirty", "a \"word\""}};
  plan.order = "ABCCBA";
  plan.seeds = {4, 2};
  plan.unit = UnitChoice::kInstructions;
  plan.arguments = {"--slots", "64,256", "\\"};
  plan.deadlines.settle = std::chrono::seconds(77);
  const std::string text = plan_text(plan);
  const Plan back = parse_plan(text, "p.toml");
  EXPECT_EQ(back.roles, plan.roles);
  EXPECT_EQ(back.arguments, plan.arguments);
  EXPECT_EQ(back.seeds, plan.seeds);
  EXPECT_EQ(plan_text(back), text);
}

Plan box_plan() {
  Plan plan = small_plan();
  plan.roles.back().append.clear();
  plan.driver = DriverKind::kSsh;
  plan.box.host = "root@box";
  return plan;
}

TEST(PlanText, KeepsTheMachineThatIsBooted) {
  Plan plan = box_plan();
  plan.box = {"root@box", BootMethod::kCommand, "./power", "/etc/config", true};
  plan.arguments = {"--cpu", "3"};
  const Plan back = parse_plan(plan_text(plan), "p.toml");
  EXPECT_EQ(back.driver, DriverKind::kSsh);
  EXPECT_EQ(back.box, plan.box);
  EXPECT_THAT(plan_text(small_plan()), ::testing::Not(HasSubstr("box")));
  plan.driver = DriverKind::kLocal;
  plan.box = {"", BootMethod::kGrub, "", "", false};
  EXPECT_EQ(parse_plan(plan_text(plan), "p.toml").driver, DriverKind::kLocal);
}

std::string box_refusal(const Plan& plan) {
  try {
    check_plan(plan, "p");
  } catch (const Error& error) {
    return describe(error);
  }
  return "accepted";
}

TEST(CheckPlan, RefusesWhatARealMachineCannotDo) {
  EXPECT_EQ(box_refusal(box_plan()), "accepted");
  Plan plan = box_plan();
  plan.box.host = "-oProxyCommand=x";
  EXPECT_THAT(box_refusal(plan), HasSubstr("host '-oProxyCommand=x' is none"));
  plan.driver = DriverKind::kLocal;
  EXPECT_THAT(box_refusal(plan), HasSubstr("boots this machine, no host"));
  plan.box.host.clear();
  EXPECT_EQ(box_refusal(plan), "accepted");
  plan = box_plan();
  plan.unit = UnitChoice::kInstructions;
  EXPECT_THAT(box_refusal(plan), HasSubstr("measures ns"));
  plan = box_plan();
  plan.box.boot = BootMethod::kCommand;
  EXPECT_THAT(box_refusal(plan), HasSubstr("belong together"));
  plan = box_plan();
  plan.box.boot = BootMethod::kGrub;
  plan.roles.back().append = "quiet";
  EXPECT_THAT(box_refusal(plan), HasSubstr("only kexec"));
  plan = box_plan();
  plan.box.tune = true;
  EXPECT_THAT(box_refusal(plan), HasSubstr("-- --cpu N"));
}

TEST(ParsePlan, TakesDefaultsForWhatIsLeftOut) {
  const Plan plan = parse_plan("roles.A.kernel = '6.12'\nroles.B.kernel = '7.1'\n", "p.toml");
  EXPECT_EQ(plan.order, "ABA");
  EXPECT_THAT(plan.seeds, ElementsAre(1, 2, 3));
  EXPECT_EQ(plan.unit, UnitChoice::kAuto);
}

TEST(ParsePlan, SaysWhereAndWhatIsWrong) {
  const std::string roles = "[roles]\nA.kernel = '6.12'\nB.kernel = '7.1'\n";
  EXPECT_THAT(refusal("order = \n"), HasSubstr("p.toml:1:"));
  EXPECT_THAT(refusal("\norde = 'ABA'\n" + roles), HasSubstr("p.toml:2:1: 'orde' is no key"));
  EXPECT_THAT(refusal("repeat = 'two'\n" + roles), HasSubstr("'repeat' is no whole number"));
  EXPECT_THAT(refusal("repeat = -1\n" + roles), HasSubstr("'repeat' is no whole number"));
  EXPECT_THAT(refusal("repeat = 0\n" + roles), HasSubstr("repeat is 0; 1 to 1000 is allowed"));
  EXPECT_THAT(refusal("unit = 'hours'\n" + roles), HasSubstr("unit 'hours'"));
  EXPECT_THAT(refusal("order = 'ABCA'\n" + roles), HasSubstr("has a 'C', which has no kernel"));
  EXPECT_THAT(refusal("order = 'AA'\n" + roles), HasSubstr("never boots B"));
  EXPECT_THAT(refusal("seeds = [1, 1]\n" + roles), HasSubstr("a seed is given twice"));
  EXPECT_THAT(refusal("seeds = []\n" + roles), HasSubstr("the number of seeds is 0"));
  EXPECT_THAT(refusal("arguments = [\"a\\nb\"]\n" + roles), HasSubstr("has a line end"));
  EXPECT_THAT(refusal("[roles]\nA.kernel = '6.12'\n"), HasSubstr("at least one other role"));
  EXPECT_THAT(refusal("[roles]\nA.kernel = ''\nB.kernel = 'x'\n"),
              HasSubstr("role A has no kernel"));
  EXPECT_THAT(refusal("[deadlines]\nboot = 0\n" + roles), HasSubstr("deadline of boot is 0"));
}

}  // namespace
}  // namespace msgring::boot
