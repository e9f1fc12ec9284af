// SPDX-License-Identifier: MIT
// Reading points: Google Benchmark JSON and the reporter's TSV. Lenient where old writers were
// wrong in a known way, strict everywhere else.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <vector>

#include "msgring/point/point.hpp"

namespace msgring::point {

/// A larger file is refused: a point of 1,000 rounds of 10 workloads is about 15 MiB.
inline constexpr std::size_t kMaxFileBytes = std::size_t{64} << 20U;

/// Reads Google Benchmark JSON, schema version 1. `NaN`, `Infinity` and `-Infinity` (which its
/// writer emits, and which are not JSON) are accepted; they make their row invalid.
/// `source` is the name for messages. Throws Error (kInvalid) with `source:line:column` and what is
/// wrong: empty, binary, truncated, text before the JSON, a key twice, only aggregates, ...
Point parse_point(std::string_view text, std::string_view source);

/// Reads the reporter's table: tab-separated, a header line, LF line ends, the columns `point`,
/// `round`, `elapsed_ns`, `ns_per_install`, `semantic_pass`, `cpu`, in any order. One point per
/// name in the first of them, in order of appearance. Further columns are named in the context.
/// Throws Error (kInvalid) with line and column.
std::vector<Point> parse_tsv(std::string_view text, std::string_view source);

/// Reads a file of either kind, told apart by its first character: `{` begins JSON.
/// Throws Error (kInvalid) as above, std::system_error if the file cannot be read.
std::vector<Point> read_points(const std::filesystem::path& file);

}  // namespace msgring::point
