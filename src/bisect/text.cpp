// SPDX-License-Identifier: MIT
// Table and sentences.
#include "msgring/bisect/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "msgring/boot/plan.hpp"
#include "msgring/report/table.hpp"

namespace msgring::bisect {
namespace {

constexpr std::size_t kWidth = 100;
/// A step that leaves more of the difference than this unexplained is not the only one.
constexpr double kWholeShare = 0.9;

std::string cost_text(double cost) { return fmt::format("{:.2f}", cost); }

/// What a candidate cost, if it was measured; the good end was, with the references.
std::optional<double> cost_of(const std::string& candidate, const Question& question,
                              const std::vector<Step>& steps) {
  if (candidate == question.good) {
    return steps.front().measured.figures->good_cost;
  }
  for (const Step& step : steps) {
    if (step.candidate == candidate) {
      return step.measured.figures ? std::optional<double>(step.measured.figures->cost)
                                   : std::nullopt;
    }
  }
  return std::nullopt;
}

std::string measured_step(const Question& question, const std::vector<Step>& steps,
                          const Found& found) {
  const Figures& references = *steps.front().measured.figures;
  const std::optional<double> before = cost_of(found.last_good, question, steps);
  const std::optional<double> after = cost_of(found.first_bad(), question, steps);
  if (!before || !after) {
    return {};
  }
  const double share = share_of_step(references, *before, *after);
  std::string text = fmt::format(
      "The step: {} -> {} {} ({:+.2f} %) in {}, {:.0f} % of the difference between the ends.",
      cost_text(*before), cost_text(*after), references.unit, 100.0 * (*after / *before - 1.0),
      references.subject, 100.0 * share);
  if (share < kWholeShare) {
    text += " There are further steps: bisect again on either side of it.";
  }
  return report::wrap(text, kWidth);
}

}  // namespace

std::string rule_text(const Question& question) {
  const boot::Plan plan = boot::parse_plan(question.plan, "bisect.json");
  return report::wrap(
      fmt::format("Bad is what costs over {:g} % more than {}, by the whole 95 % interval{}. Where "
                  "instructions are counted: {} seed{}, for each one boot of the candidate against "
                  "the two of {}, which repeat to the last instruction. Where time is measured: a "
                  "sandwich of three boots for each candidate.",
                  100.0 * question.threshold, question.good,
                  question.primary.empty() ? "" : " of " + question.primary, plan.seeds.size(),
                  plan.seeds.size() == 1 ? "" : "s", question.good),
      kWidth);
}

std::string step_text(const Step& step) {
  return fmt::format("{} {}: {}", answer_text(step.decision.answer), step.label,
                     step.decision.reason);
}

std::string steps_table(const Question& question, const std::string& good_label,
                        const std::vector<Step>& steps) {
  const Figures& references = *steps.front().measured.figures;
  using report::Align;
  report::Table table({{"step", Align::kRight},
                       {question.tree.empty() ? "release" : "commit", Align::kLeft},
                       {references.unit, Align::kRight},
                       {"against good", Align::kLeft},
                       {"answer", Align::kLeft}});
  table.add_row({"-", good_label, cost_text(references.good_cost), "", "good, the reference"});
  for (const Step& step : steps) {
    const auto& figures = step.measured.figures;
    std::string answer(answer_text(step.decision.answer));
    if (step.number == 0) {
      answer += ", the reference";
    } else if (step.decision.answer == Answer::kSkip) {
      answer += ": " + step.decision.reason;
    } else if (!step.measured.remark.empty()) {
      answer += ": " + step.measured.remark;
    }
    table.add_row({step.number == 0 ? "-" : std::to_string(step.number), step.label,
                   figures ? cost_text(figures->cost) : "", figures ? delta_text(*figures) : "",
                   answer});
  }
  return table.render();
}

std::string conclusion_text(const Question& question, const std::vector<Step>& steps,
                            const Search& search, const Found& found) {
  if (found.is_one()) {
    return fmt::format("First bad: {}\nLast good: {}\n", search.label(found.first_bad()),
                       search.label(found.last_good)) +
           measured_step(question, steps, found);
  }
  std::string text = fmt::format(
      "Between {} (good) and {} (bad) nothing could be decided. The first bad one is one "
      "of:\n",
      search.label(found.last_good), search.label(found.first_bad()));
  for (const std::string& suspect : found.suspects) {
    text += fmt::format("  {}\n", search.label(suspect));
  }
  return text;
}

}  // namespace msgring::bisect
