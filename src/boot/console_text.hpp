// SPDX-License-Identifier: MIT
// Reading a guest's console log.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace msgring::boot {

/// What a person needs of a console: its last lines, or, after a panic, those from the fatal one
/// on. Oldest first, without control characters and empty lines; at most `lines`.
std::vector<std::string> console_tail(std::string_view console, std::size_t lines = 12);

/// The first line that tells of a panic, an Oops or a BUG; empty when there is none.
std::string fatal_console_line(std::string_view console);

/// The last line that is not empty.
std::string last_line(std::string_view text);

}  // namespace msgring::boot
