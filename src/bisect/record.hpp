// SPDX-License-Identifier: MIT
// The question and the answers as JSON.
#pragma once

#include <string>
#include <string_view>

#include "msgring/bisect/folder.hpp"

namespace msgring::bisect {

std::string question_json(const Question& question);
/// Throws Error (kInvalid), `source` first, for what is no question.
Question parse_question(std::string_view text, std::string_view source);

std::string step_json(const Step& step);
Step parse_step(std::string_view text, std::string_view source);

}  // namespace msgring::bisect
