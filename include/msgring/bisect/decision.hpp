// SPDX-License-Identifier: MIT
// What one measurement says about one candidate. Pure: figures in, an answer out.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "msgring/stats/distribution.hpp"

namespace msgring::bisect {

/// What git bisect calls them too.
enum class Answer { kGood, kBad, kSkip };

/// "good", "bad", "skip"; and back, nothing for another word.
std::string_view answer_text(Answer answer);
std::optional<Answer> parse_answer(std::string_view text);

/// A candidate against the good reference, in the comparison that decides.
struct Figures {
  std::string subject;       ///< `first_fill slots:4096 batch:64, fill`
  std::string unit;          ///< `instructions/install`
  double good_cost = 0.0;    ///< of the reference, in `unit`
  double cost = 0.0;         ///< of the candidate
  double delta = 0.0;        ///< a fraction of the reference
  stats::Interval interval;  ///< of delta
  std::string doubt;         ///< why they may not be believed; empty when every gate passed
};

/// What came of measuring a candidate: figures, or why there are none.
struct Measured {
  std::optional<Figures> figures;
  std::string obstacle;  ///< "does not build: ...", "does not boot: ..."
  std::string remark;    ///< what a reader should know of how they came about
};

struct Decision {
  Answer answer = Answer::kSkip;
  std::string reason;  ///< one clause with its figures
};

/// Bad: the whole interval lies above `threshold` (a fraction). Good: the whole interval lies below
/// it. Skip: the threshold is inside the interval, a gate failed, or there are no figures.
Decision decide(const Measured& measured, double threshold);

/// The bad reference against the good one: throws unless it is bad by the same rule. Error
/// (kEnvironment) where one of them cannot be measured, Error (kInconclusive) where the figures
/// cannot be believed or do not tell, Error (kUsage) where the two are swapped or there is nothing
/// to find.
void check_references(const Measured& bad, double threshold, std::string_view good_name,
                      std::string_view bad_name);

/// How much of the difference between the references lies between two costs, as a fraction.
double share_of_step(const Figures& references, double before, double after);

/// "+41.8 % [+41.6, +42.0]"
std::string delta_text(const Figures& figures);

}  // namespace msgring::bisect
