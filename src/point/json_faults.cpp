// SPDX-License-Identifier: MIT
// Diagnosis of texts that are not the JSON they should be.
#include "point/json_faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace msgring::point {
namespace {

constexpr std::string_view kBlank = " \t\r\n";

// The parser's own words, without its name, code and place.
std::string_view reason_of(std::string_view parser_message) {
  for (const std::string_view start : {"syntax error", "number overflow", "invalid"}) {
    const std::size_t at = parser_message.find(start);
    if (at != std::string_view::npos) {
      return parser_message.substr(at);
    }
  }
  return parser_message;
}

// Google Benchmark issue 1181: no comma between the library's own keys and --benchmark_context's.
bool lacks_context_comma(std::string_view text, std::size_t position) {
  const std::string_view before = text.substr(0, std::min(position, text.size()));
  const std::size_t last_key = before.rfind("\"library_build_type\"");
  if (last_key == std::string_view::npos) {
    return false;
  }
  const std::string_view between = before.substr(last_key);
  return between.find(',') == std::string_view::npos && between.find('}') == std::string_view::npos;
}

void fail_if_not_text(const Source& source) {
  const std::string_view text = source.text;
  if (text.substr(0, 2) == "\x1f\x8b") {
    fail_at(source, 0, "is gzip-compressed", "unpack it first");
  }
  if (text.substr(0, 3) == "\xef\xbb\xbf") {
    fail_at(source, 0, "begins with a byte order mark", "save it as UTF-8 without one");
  }
  const std::size_t nul = text.find('\0');
  if (nul != std::string_view::npos) {
    fail_at(source, nul, "holds a NUL byte: it is binary, not JSON", "give the point file itself");
  }
}

}  // namespace

void fail_unless_json_begins(const Source& source) {
  const std::size_t first = source.text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) {
    fail_at(source, 0, source.text.empty() ? "is empty" : "holds nothing but blanks",
            "the measurement that should have written it did not finish");
  }
  fail_if_not_text(source);
  if (source.text[first] == '{' || source.text[first] == '[') {
    return;
  }
  const std::string_view rest = source.text.substr(first);
  const std::string quoted = excerpt(rest.substr(0, rest.find('\n')));
  const std::size_t object = rest.find("\n{");
  if (object == std::string_view::npos) {
    fail_at(source, first, fmt::format("is not JSON: it begins with \"{}\"", quoted));
  }
  const Place json = place_of(source.text, first + object + 1);
  fail_at(source, first,
          fmt::format("text before the JSON, which begins in line {}: \"{}\"", json.line, quoted),
          "keep messages out of the file: they belong on stderr");
}

void fail_syntax(const Source& source, std::size_t position, std::string_view parser_message) {
  const std::size_t at = position > 0 ? position - 1 : 0;
  const std::string_view reason = reason_of(parser_message);
  if (reason.find("unexpected end of input") != std::string_view::npos ||
      reason.find("missing closing quote") != std::string_view::npos) {
    fail_at(source, source.text.size(), "ends in the middle: it is truncated",
            "copy it again, or measure again");
  }
  if (lacks_context_comma(source.text, at)) {
    fail_at(source, at,
            "no comma before the keys of --benchmark_context, a known defect of old Google "
            "Benchmark versions (issue 1181)",
            "insert it by hand, or measure with a library that writes it");
  }
  fail_at(source, at, excerpt(reason, 160));
}

void fail_on_duplicate_key(const Source& source, const JsonValue& object) {
  std::vector<const JsonMember*> sorted;
  sorted.reserve(object.members.size());
  for (const auto& member : object.members) {
    sorted.push_back(&member);
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto* a, const auto* b) { return a->key < b->key; });
  const auto twice = std::adjacent_find(
      sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->key == b->key; });
  if (twice != sorted.end()) {
    const JsonMember& second = **(twice + 1);
    fail_at(source, second.value.begin,
            fmt::format("the key \"{}\" stands twice", excerpt(second.key)),
            "keep one of them: which one counts is anybody's guess");
  }
}

}  // namespace msgring::point
