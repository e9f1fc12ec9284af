// SPDX-License-Identifier: MIT
// Line and column of a byte, and the error that names them.
#include "point/place.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "msgring/error.hpp"

namespace msgring::point {

Place place_of(std::string_view text, std::size_t offset) noexcept {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return {static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1,
          before.size() - line_start + 1};
}

void fail_at(const Source& source, std::size_t offset, std::string_view what, std::string hint) {
  const Place place = place_of(source.text, offset);
  throw Error(ExitStatus::kInvalid,
              fmt::format("{}:{}:{}: {}", source.name, place.line, place.column, what),
              std::move(hint));
}

std::string excerpt(std::string_view text, std::size_t limit) {
  std::string out(text.substr(0, limit));
  const auto printable = [](char c) { return c >= ' ' && c != '\x7f'; };
  std::replace_if(
      out.begin(), out.end(), [&](char c) { return !printable(c); }, '?');
  return text.size() > limit ? out + "..." : out;
}

}  // namespace msgring::point
