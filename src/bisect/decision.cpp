// SPDX-License-Identifier: MIT
// One threshold, three answers.
#include "msgring/bisect/decision.hpp"

#include <fmt/format.h>

#include <array>

#include "msgring/error.hpp"

namespace msgring::bisect {
namespace {

constexpr std::array kAnswers = {Answer::kGood, Answer::kBad, Answer::kSkip};

std::string percent(double fraction) { return fmt::format("{:g} %", 100.0 * fraction); }

/// How the difference of the references reads to a person.
std::string difference_text(const Figures& bad, std::string_view good_name,
                            std::string_view bad_name) {
  return fmt::format("{} against {}: {} in {} ({:.2f} and {:.2f} {})", bad_name, good_name,
                     delta_text(bad), bad.subject, bad.cost, bad.good_cost, bad.unit);
}

}  // namespace

std::string_view answer_text(Answer answer) {
  switch (answer) {
    case Answer::kGood:
      return "good";
    case Answer::kBad:
      return "bad";
    case Answer::kSkip:
      break;
  }
  return "skip";
}

std::optional<Answer> parse_answer(std::string_view text) {
  for (const Answer answer : kAnswers) {
    if (text == answer_text(answer)) {
      return answer;
    }
  }
  return std::nullopt;
}

std::string delta_text(const Figures& figures) {
  return fmt::format("{:+.2f} % [{:+.2f}, {:+.2f}]", 100.0 * figures.delta,
                     100.0 * figures.interval.low, 100.0 * figures.interval.high);
}

Decision decide(const Measured& measured, double threshold) {
  if (!measured.figures) {
    return {Answer::kSkip, measured.obstacle};
  }
  const Figures& figures = *measured.figures;
  if (!figures.doubt.empty()) {
    return {Answer::kSkip, "not decidable: " + figures.doubt};
  }
  const std::string delta = delta_text(figures);
  const std::string remark = measured.remark.empty() ? "" : measured.remark + ": ";
  if (figures.interval.low > threshold) {
    return {Answer::kBad, fmt::format("{}{} is above {}", remark, delta, percent(threshold))};
  }
  if (figures.interval.high < threshold) {
    return {Answer::kGood, fmt::format("{}{} is below {}", remark, delta, percent(threshold))};
  }
  return {Answer::kSkip,
          fmt::format("not decidable: {} lies on both sides of {}", delta, percent(threshold))};
}

void check_references(const Measured& bad, double threshold, std::string_view good_name,
                      std::string_view bad_name) {
  const Decision decision = decide(bad, threshold);
  if (decision.answer == Answer::kBad) {
    return;
  }
  if (!bad.figures) {
    throw Error(ExitStatus::kEnvironment,
                fmt::format("{} and {} are the references: {}", good_name, bad_name, bad.obstacle),
                "name ends that can be measured");
  }
  const std::string difference = difference_text(*bad.figures, good_name, bad_name);
  if (decision.answer == Answer::kSkip) {
    throw Error(ExitStatus::kInconclusive, fmt::format("{}: {}", difference, decision.reason),
                "more --seeds narrow the interval; or take another --threshold");
  }
  if (bad.figures->interval.high < -threshold) {
    throw Error(ExitStatus::kUsage, fmt::format("the bad end is the faster one: {}", difference),
                "good and bad are swapped, or what you look for lies elsewhere");
  }
  throw Error(ExitStatus::kUsage,
              fmt::format("nothing to find: {}, not above {}", difference, percent(threshold)),
              "name ends that differ, another --workload, or a lower --threshold");
}

double share_of_step(const Figures& references, double before, double after) {
  return (after - before) / (references.cost - references.good_cost);
}

}  // namespace msgring::bisect
