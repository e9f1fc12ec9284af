// SPDX-License-Identifier: MIT
// Text made safe for HTML and SVG.
#pragma once

#include <string>
#include <string_view>

namespace msgring::report {

/// `text` with &, <, >, " and ' as entities; control bytes become blanks.
std::string markup_escaped(std::string_view text);

}  // namespace msgring::report
