// SPDX-License-Identifier: MIT
// The whole search over measured figures that a table gives, stopped and killed in every place.
#include "msgring/bisect/find.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>

#include "msgring/bisect/text.hpp"
#include "msgring/boot/plan.hpp"
#include "msgring/error.hpp"
#include "msgring/host/temporary_folder.hpp"

namespace msgring::bisect {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

/// What the process would be killed by.
struct Killed {};

/// Costs from a table; 0 is a kernel that does not boot.
class TableMeasurer : public Measurer {
 public:
  explicit TableMeasurer(std::map<std::string, double> costs) : costs_(std::move(costs)) {}

  Measured references(const fs::path& folder) override { return measure("c9", folder); }
  Measured candidate(const std::string& candidate, const fs::path& folder,
                     const Figures& /*references*/) override {
    return measure(candidate, folder);
  }

  std::vector<std::string> measured;
  std::vector<std::string> folders;
  int left_to_live = 1000;

 private:
  Measured measure(const std::string& candidate, const fs::path& folder) {
    if (left_to_live-- == 0) {
      throw Killed();
    }
    measured.push_back(candidate);
    folders.push_back(folder.filename());
    const double cost = costs_.at(candidate);
    if (cost == 0) {
      return {std::nullopt, "does not boot: no-boot", ""};
    }
    const double delta = cost / 100 - 1;
    return {Figures{"first_fill, fill",
                    "instructions/install",
                    100,
                    cost,
                    delta,
                    {delta - 0.001, delta + 0.001},
                    ""},
            "", ""};
  }

  std::map<std::string, double> costs_;
};

class Silent : public FindObserver {
 public:
  void on_begin(unsigned /*number*/, const std::string& /*label*/, std::size_t /*left*/) override {}
  void on_answer(const Step& /*step*/) override {}
};

/// Ten candidates: c6 brings most of the step, c4 does not boot.
const std::map<std::string, double> kCosts = {{"c0", 100}, {"c1", 100}, {"c2", 101}, {"c3", 101},
                                              {"c4", 0},   {"c5", 101}, {"c6", 130}, {"c7", 130},
                                              {"c8", 131}, {"c9", 131}};

Question question() {
  Question question;
  question.asked = "c0..c9";
  question.good = "c0";
  question.bad = "c9";
  for (const auto& [name, cost] : kCosts) {
    question.candidates.push_back(name);
  }
  boot::Plan plan;
  plan.roles = {{'A', "c0", ""}, {'B', "c9", ""}};
  question.plan = boot::plan_text(plan);
  return question;
}

class Find : public ::testing::Test {
 protected:
  Found go(BisectFolder& folder, TableMeasurer& measurer, const std::stop_token& stop = {}) {
    Silent silent;
    return find(folder, search_.emplace(folder.question().candidates), measurer, silent, stop);
  }

  host::TemporaryFolder base_{"msgring-find"};
  fs::path path_ = base_.path() / "b";
  std::optional<ListSearch> search_;
};

TEST_F(Find, NamesTheFirstBadCandidateAndKeepsWhatItTried) {
  BisectFolder folder = BisectFolder::begin(path_, question());
  TableMeasurer measurer(kCosts);
  const Found found = go(folder, measurer);
  EXPECT_EQ(found.first_bad(), "c6");
  EXPECT_EQ(found.last_good, "c5");
  // c0..c9: the middle of 1..8 is 4 (skipped), the nearest to it is 3, then 6, then 5.
  EXPECT_THAT(measurer.measured, ElementsAre("c9", "c4", "c3", "c6", "c5"));
  EXPECT_THAT(measurer.folders, ElementsAre("00-references", "01-c4", "02-c3", "03-c6", "04-c5"));
  const std::string table = steps_table(folder.question(), "c0", folder.steps());
  EXPECT_THAT(table, HasSubstr("skip: does not boot: no-boot"));
  EXPECT_THAT(table, HasSubstr("+30.00 % [+29.90, +30.10]"));
  // 101 -> 130 is 29 of the 31 between the ends: 94 %.
  EXPECT_EQ(conclusion_text(folder.question(), folder.steps(), *search_, found),
            "First bad: c6\nLast good: c5\nThe step: 101.00 -> 130.00 instructions/install (+28.71 "
            "%) in first_fill, fill, 94 % of the\ndifference between the ends.\n");
}

TEST_F(Find, GoesOnAfterAKillAtAnyStepAndMeasuresNothingTwice) {
  for (int lives = 0; lives < 5; ++lives) {
    path_ = base_.path() / fmt::format("b{}", lives);
    TableMeasurer first(kCosts);
    first.left_to_live = lives;
    {
      BisectFolder folder = BisectFolder::begin(path_, question());
      EXPECT_THROW(go(folder, first), Killed);
    }
    TableMeasurer second(kCosts);
    BisectFolder folder = BisectFolder::resume(path_);
    EXPECT_EQ(go(folder, second).first_bad(), "c6");
    std::vector<std::string> all = first.measured;
    all.insert(all.end(), second.measured.begin(), second.measured.end());
    EXPECT_THAT(all, ElementsAre("c9", "c4", "c3", "c6", "c5")) << "killed after " << lives;
  }
}

TEST_F(Find, StopsBetweenStepsAndStaysResumable) {
  std::stop_source stop;
  stop.request_stop();
  TableMeasurer measurer(kCosts);
  {
    BisectFolder folder = BisectFolder::begin(path_, question());
    try {
      go(folder, measurer, stop.get_token());
      FAIL() << "was not stopped";
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), ExitStatus::kInterrupted);
      EXPECT_THAT(error.hint(), HasSubstr("--resume"));
    }
  }
  BisectFolder folder = BisectFolder::resume(path_);
  EXPECT_EQ(go(folder, measurer).first_bad(), "c6");
}

TEST_F(Find, DoesNotSearchBetweenEndsThatAreAlike) {
  std::map<std::string, double> costs = kCosts;
  costs["c9"] = 101;
  TableMeasurer measurer(costs);
  BisectFolder folder = BisectFolder::begin(path_, question());
  EXPECT_THROW(go(folder, measurer), Error);
  EXPECT_THAT(measurer.measured, ElementsAre("c9"));
  EXPECT_TRUE(folder.steps().empty());
}

TEST_F(Find, SaysWhenSkipsHideTheStep) {
  std::map<std::string, double> costs = kCosts;
  costs["c5"] = 0;
  costs["c6"] = 0;
  TableMeasurer measurer(costs);
  BisectFolder folder = BisectFolder::begin(path_, question());
  const Found found = go(folder, measurer);
  EXPECT_THAT(found.suspects, ElementsAre("c4", "c5", "c6", "c7"));
  EXPECT_THAT(conclusion_text(folder.question(), folder.steps(), *search_, found),
              HasSubstr("Between c3 (good) and c7 (bad) nothing could be decided"));
}

}  // namespace
}  // namespace msgring::bisect
