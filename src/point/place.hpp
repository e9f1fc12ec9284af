// SPDX-License-Identifier: MIT
// A text with a name, and errors that point into it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace msgring::point {

/// What is being read, and under which name messages call it.
struct Source {
  std::string_view name;
  std::string_view text;
};

/// 1-based; columns count bytes.
struct Place {
  std::size_t line = 1;
  std::size_t column = 1;
};

/// Where byte `offset` of the text stands; an offset behind the end stands for the end.
Place place_of(std::string_view text, std::size_t offset) noexcept;

/// Throws Error (kInvalid): `name:line:column: what`, with a hint of what to do.
[[noreturn]] void fail_at(const Source& source, std::size_t offset, std::string_view what,
                          std::string hint = {});

/// At most `limit` bytes of foreign text, safe to print: control bytes become `?`.
std::string excerpt(std::string_view text, std::size_t limit = 40);

}  // namespace msgring::point
