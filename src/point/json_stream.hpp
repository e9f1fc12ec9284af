// SPDX-License-Identifier: MIT
// A JSON object read member by member, each value with its place: a file of any allowed size costs
// the memory of its largest element.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "point/place.hpp"

namespace msgring::point {

enum class JsonKind { kNull, kBoolean, kNumber, kNonFinite, kString, kArray, kObject };

/// "a number", "a list", ... for messages.
std::string_view kind_text(JsonKind kind) noexcept;

struct JsonMember;

/// One value of a JSON text. `begin` and `end` delimit it there (a number's may be one byte off).
struct JsonValue {
  JsonKind kind = JsonKind::kNull;
  std::string text;                 ///< a string's value, a number's or boolean's spelling
  double number = 0.0;              ///< a number's value
  std::vector<JsonMember> members;  ///< an object's, in file order
  std::vector<JsonValue> items;     ///< an array's
  std::size_t begin = 0;
  std::size_t end = 0;

  /// The member `key` of an object, or null.
  const JsonValue* find(std::string_view key) const noexcept;
};

struct JsonMember {
  std::string key;
  JsonValue value;
};

/// Who is told what the top-level object holds, in file order.
struct JsonEvents {
  /// A member that is no array, whole.
  std::function<void(const std::string& key, const JsonValue& value)> member;
  /// The start of a member that is an array.
  std::function<void(const std::string& key, std::size_t begin)> array;
  /// One element of such an array.
  std::function<void(const std::string& key, const JsonValue& element)> element;
};

/// Reads `source` strictly, except that non-finite tokens are values of their own kind.
/// Throws Error (kInvalid) with the place: empty, binary, text before the JSON, syntax, truncation,
/// an object that has a key twice, nesting or an element beyond what any writer makes.
void read_json(const Source& source, const JsonEvents& events);

}  // namespace msgring::point
