// SPDX-License-Identifier: MIT
// The tokens NaN, Infinity and -Infinity, which Google Benchmark writes and JSON does not have.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace msgring::point {

/// A text without such tokens, of the same length, and where they stood.
struct MaskedText {
  std::string text;               ///< each token replaced by a JSON string of the same length
  std::vector<std::size_t> ends;  ///< offset behind each token, ascending
};

/// Replaces every non-finite token outside JSON strings, so that a strict parser accepts the rest
/// and every offset still means the same place. Old writers' `nan` and `inf` count as well.
MaskedText mask_nonfinite(std::string_view text);

}  // namespace msgring::point
