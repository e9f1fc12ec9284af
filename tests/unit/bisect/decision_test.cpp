// SPDX-License-Identifier: MIT
// Known figures and the answers that follow from them.
#include "msgring/bisect/decision.hpp"

#include <gmock/gmock.h>

#include "msgring/error.hpp"

namespace msgring::bisect {
namespace {

using ::testing::HasSubstr;

/// 100 in the reference, `delta` more in the candidate, known to +-`half_width` (all fractions).
Measured measured(double delta, double half_width, std::string doubt = {}) {
  return {Figures{"first_fill, fill",
                  "instructions/install",
                  100.0,
                  100.0 * (1.0 + delta),
                  delta,
                  {delta - half_width, delta + half_width},
                  std::move(doubt)},
          "", ""};
}

TEST(Decision, TakesTheWholeIntervalAgainstTheThreshold) {
  EXPECT_EQ(decide(measured(0.07, 0.01), 0.05).answer, Answer::kBad);    // [6, 8] % above 5 %
  EXPECT_EQ(decide(measured(0.03, 0.01), 0.05).answer, Answer::kGood);   // [2, 4] % below it
  EXPECT_EQ(decide(measured(0.05, 0.01), 0.05).answer, Answer::kSkip);   // [4, 6] %: both sides
  EXPECT_EQ(decide(measured(-0.40, 0.01), 0.05).answer, Answer::kGood);  // faster is not slower
}

TEST(Decision, SaysItsFigures) {
  EXPECT_EQ(decide(measured(0.07, 0.01), 0.05).reason, "+7.00 % [+6.00, +8.00] is above 5 %");
  EXPECT_THAT(decide(measured(0.05, 0.01), 0.05).reason, HasSubstr("both sides of 5 %"));
}

TEST(Decision, SkipsWhatCannotBeMeasuredOrBelieved) {
  const Decision unbootable = decide({std::nullopt, "does not boot: guest-panic", ""}, 0.05);
  EXPECT_EQ(unbootable.answer, Answer::kSkip);
  EXPECT_EQ(unbootable.reason, "does not boot: guest-panic");
  const Decision doubted = decide(measured(0.5, 0.01, "gate cv failed: 9 %"), 0.05);
  EXPECT_EQ(doubted.answer, Answer::kSkip);
  EXPECT_EQ(doubted.reason, "not decidable: gate cv failed: 9 %");
}

/// What check_references says, and its status.
std::pair<ExitStatus, std::string> refusal(const Measured& bad) {
  try {
    check_references(bad, 0.05, "6.12", "7.1");
  } catch (const Error& error) {
    return {error.status(), error.what()};
  }
  return {ExitStatus::kOk, ""};
}

TEST(References, MustDifferInTheRightDirection) {
  EXPECT_EQ(refusal(measured(0.4, 0.01)).first, ExitStatus::kOk);
  const auto [nothing_status, nothing] = refusal(measured(0.01, 0.01));
  EXPECT_EQ(nothing_status, ExitStatus::kUsage);
  EXPECT_EQ(nothing,
            "nothing to find: 7.1 against 6.12: +1.00 % [+0.00, +2.00] in first_fill, fill "
            "(101.00 and 100.00 instructions/install), not above 5 %");
  const auto [swapped_status, swapped] = refusal(measured(-0.3, 0.01));
  EXPECT_EQ(swapped_status, ExitStatus::kUsage);
  EXPECT_THAT(swapped, HasSubstr("the bad end is the faster one"));
  EXPECT_EQ(refusal(measured(0.05, 0.01)).first, ExitStatus::kInconclusive);
  EXPECT_EQ(refusal({std::nullopt, "does not boot: no-boot", ""}).first, ExitStatus::kEnvironment);
}

TEST(References, SayHowMuchOfTheirDifferenceAStepIs) {
  const Figures ends = *measured(0.4, 0.01).figures;      // 100 -> 140
  EXPECT_DOUBLE_EQ(share_of_step(ends, 102, 132), 0.75);  // 30 of 40
}

TEST(Answers, KeepTheirNames) {
  for (const Answer answer : {Answer::kGood, Answer::kBad, Answer::kSkip}) {
    EXPECT_EQ(parse_answer(answer_text(answer)), answer);
  }
  EXPECT_FALSE(parse_answer("perhaps").has_value());
}

}  // namespace
}  // namespace msgring::bisect
