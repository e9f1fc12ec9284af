// SPDX-License-Identifier: MIT
// What is wrong with a text that is no JSON, said so that a person can act on it.
#pragma once

#include <cstddef>
#include <string_view>

#include "point/json_stream.hpp"
#include "point/place.hpp"

namespace msgring::point {

/// Returns if the text's first character is the `{` of an object. Otherwise throws Error
/// (kInvalid): empty, compressed, binary, a byte order mark, or text before the JSON, which it
/// quotes.
void fail_unless_json_begins(const Source& source);

/// Throws Error (kInvalid) for a syntax error at byte `position`; `parser_message` is nlohmann's.
/// Knows truncation and the comma that old Google Benchmark versions forgot.
[[noreturn]] void fail_syntax(const Source& source, std::size_t position,
                              std::string_view parser_message);

/// Throws Error (kInvalid) if an object has a key twice, naming the second place.
void fail_on_duplicate_key(const Source& source, const JsonValue& object);

}  // namespace msgring::point
