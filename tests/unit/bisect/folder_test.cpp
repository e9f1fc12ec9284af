// SPDX-License-Identifier: MIT
// What is kept, and what is refused.
#include "msgring/bisect/folder.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "msgring/error.hpp"
#include "msgring/host/temporary_folder.hpp"

namespace msgring::bisect {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

Question question() {
  Question question;
  question.asked = "6.12..7.1";
  question.good = "6.12.95";
  question.bad = "7.1.13";
  question.candidates = {"6.12.95", "7.1.3", "7.1.13"};
  question.threshold = 0.1 + 0.2;  // no short decimal
  question.plan = "order = \"ABA\"\n";
  return question;
}

Step step(unsigned number, Answer answer) {
  Step step;
  step.number = number;
  step.candidate = "7.1.3";
  step.label = "7.1.3";
  step.decision = {answer, "because"};
  if (answer == Answer::kSkip) {
    step.measured.obstacle = "does not boot";
  } else {
    step.measured.figures =
        Figures{"first_fill, fill", "instructions/install", 100.1, 130.7, 1.0 / 3, {0.3, 0.4}, ""};
  }
  return step;
}

template <class Act>
std::string refusal(Act act) {
  try {
    act();
  } catch (const Error& error) {
    return describe(error);
  }
  return "";
}

TEST(BisectFolder, RemembersEverythingToTheLastDigit) {
  const host::TemporaryFolder base("msgring-bisect");
  const fs::path path = base.path() / "b";
  {
    BisectFolder folder = BisectFolder::begin(path, question());
    folder.keep(step(0, Answer::kBad));
    folder.keep(step(1, Answer::kSkip));
  }
  const BisectFolder folder = BisectFolder::resume(path);
  EXPECT_EQ(folder.question(), question());
  ASSERT_EQ(folder.steps().size(), 2U);
  EXPECT_EQ(folder.steps()[0].measured.figures->delta, 1.0 / 3);
  EXPECT_EQ(folder.steps()[0].measured.figures->interval, (stats::Interval{0.3, 0.4}));
  EXPECT_EQ(folder.steps()[0].decision.answer, Answer::kBad);
  EXPECT_EQ(folder.steps()[1].measured.obstacle, "does not boot");
  EXPECT_EQ(folder.steps()[1].decision.answer, Answer::kSkip);
}

TEST(BisectFolder, OverwritesNothing) {
  const host::TemporaryFolder base("msgring-bisect");
  BisectFolder folder = BisectFolder::begin(base.path() / "b", question());
  folder.keep(step(0, Answer::kBad));
  EXPECT_THROW(folder.keep(step(0, Answer::kGood)), Error);
}

TEST(BisectFolder, RefusesAForeignOrOccupiedFolder) {
  const host::TemporaryFolder base("msgring-bisect");
  const fs::path path = base.path() / "b";
  { const BisectFolder folder = BisectFolder::begin(path, question()); }
  EXPECT_THAT(refusal([&] { BisectFolder::begin(path, question()); }),
              HasSubstr("is there already; go on with this bisect: --resume"));
  std::ofstream(base.path() / "note") << "something else\n";
  EXPECT_THAT(refusal([&] { BisectFolder::begin(base.path(), question()); }),
              HasSubstr("is there already; take another folder"));
  EXPECT_THAT(refusal([&] { BisectFolder::resume(base.path()); }), HasSubstr("no bisect"));
  const BisectFolder held = BisectFolder::resume(path);
  EXPECT_THAT(refusal([&] { BisectFolder::resume(path); }), HasSubstr("another msgring works"));
}

TEST(BisectFolder, SaysWhichFileIsDamaged) {
  const host::TemporaryFolder base("msgring-bisect");
  const fs::path path = base.path() / "b";
  {
    BisectFolder folder = BisectFolder::begin(path, question());
    folder.keep(step(0, Answer::kBad));
  }
  std::ofstream(path / "answers" / "00.json") << R"({"schema": 1, "number": 0)";
  EXPECT_THAT(refusal([&] { BisectFolder::resume(path); }), HasSubstr("answers/00.json"));
  std::ofstream(path / "answers" / "00.json") << R"({"schema": 2})";
  EXPECT_THAT(refusal([&] { BisectFolder::resume(path); }), HasSubstr("of another msgring"));
}

}  // namespace
}  // namespace msgring::bisect
