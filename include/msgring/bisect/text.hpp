// SPDX-License-Identifier: MIT
// What a person reads of a bisect.
#pragma once

#include <string>
#include <vector>

#include "msgring/bisect/folder.hpp"
#include "msgring/bisect/search.hpp"

namespace msgring::bisect {

/// "bad is more than 5 % above good, decided by ...": which rule answers, on what data.
std::string rule_text(const Question& question);

/// One line for an answered step.
std::string step_text(const Step& step);

/// Everything that was tried: the references, then the steps in order.
std::string steps_table(const Question& question, const std::string& good_label,
                        const std::vector<Step>& steps);

/// Which candidate it was, the step as far as it was measured, and how much of the difference
/// between the ends it is; or the suspects, where candidates between had to be skipped.
std::string conclusion_text(const Question& question, const std::vector<Step>& steps,
                            const Search& search, const Found& found);

}  // namespace msgring::bisect
