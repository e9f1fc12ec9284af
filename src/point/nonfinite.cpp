// SPDX-License-Identifier: MIT
// Finds non-finite tokens between the strings of a JSON text.
#include "point/nonfinite.hpp"

#include <array>
#include <cctype>

namespace msgring::point {
namespace {

// Longest first: "-Infinity" begins like "-Inf...", "Infinity" must win over "inf".
constexpr std::array<std::string_view, 8> kTokens = {"-Infinity", "Infinity", "-NaN", "NaN",
                                                     "-nan",      "-inf",     "nan",  "inf"};

// Behind the closing quote of the string that opens at `start`, or the end of the text.
std::size_t skip_string(std::string_view text, std::size_t start) {
  for (std::size_t i = start + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      return i + 1;
    }
  }
  return text.size();
}

bool continues_word(std::string_view text, std::size_t at) {
  return at < text.size() &&
         (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
}

// The length of the token at `at`, or 0.
std::size_t token_length(std::string_view text, std::size_t at) {
  for (const std::string_view token : kTokens) {
    if (text.substr(at, token.size()) == token && !continues_word(text, at + token.size())) {
      return token.size();
    }
  }
  return 0;
}

bool may_begin_token(char c) { return c == 'N' || c == 'I' || c == '-' || c == 'n' || c == 'i'; }

}  // namespace

MaskedText mask_nonfinite(std::string_view text) {
  MaskedText masked{std::string(text), {}};
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '"') {
      at = skip_string(text, at);
      continue;
    }
    const bool inside_word = at > 0 && continues_word(text, at - 1);
    const std::size_t length =
        may_begin_token(text[at]) && !inside_word ? token_length(text, at) : 0;
    if (length == 0) {
      ++at;
      continue;
    }
    masked.text.replace(at, length, length, '~');
    masked.text[at] = '"';
    at += length;
    masked.text[at - 1] = '"';
    masked.ends.push_back(at);
  }
  return masked;
}

}  // namespace msgring::point
