// SPDX-License-Identifier: MIT
// Making a point file's text from what Google Benchmark's reporter printed.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "msgring/host/clock.hpp"

namespace msgring::point {

/// The text of a point file: `benchmark_json` (as benchmark::JSONReporter prints it, non-finite
/// numbers included) with `facts` appended to its context as strings, as strict, indented JSON with
/// its keys in the order in which Google Benchmark wrote them.
///
/// Rows: those that failed with a message starting "not run:" are dropped; other failed rows stay.
/// Aggregate rows lose their `check.*` counters and every number that is not finite (the cv of an
/// all-zero counter). An iteration row with such a number becomes a failed row.
/// With `unit` instructions, `time_unit` becomes "instructions" and `cpu_time`, which is always
/// nanoseconds of the emulated CPU, becomes 0: neither unit is ever called the other.
/// Throws Error (kInvalid) if `benchmark_json` is no such text or a fact's key is already there.
std::string assemble_point(std::string_view benchmark_json,
                           const std::vector<std::pair<std::string, std::string>>& facts,
                           host::Unit unit);

}  // namespace msgring::point
