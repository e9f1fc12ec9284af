// SPDX-License-Identifier: MIT
// The rounds of one comparison as an inline SVG drawing.
#pragma once

#include <string>

#include "report/words.hpp"

namespace msgring::report {

/// A drawing 400 units wide, so that its text is readable on a telephone: one panel per boot, the
/// baseline's first, a dot per round, each boot's mean as a line, the baseline's mean dashed across
/// all, and, for a finding, the interval as a band behind the other role's boots. Colours come from
/// the page's style (classes `baseline` and `changed`), so it follows light and dark.
std::string svg_of_rounds(const Comparison& comparison, const Entry& entry);

}  // namespace msgring::report
