// SPDX-License-Identifier: MIT
// Whether standard output is to be coloured.
#pragma once

#include <string_view>

#include "msgring/report/report.hpp"

namespace msgring::cli {

/// `wish` is "auto", "always" or "never"; auto colours a terminal unless NO_COLOR is set.
report::Colour colour_for_stdout(std::string_view wish);

}  // namespace msgring::cli
