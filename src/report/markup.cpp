// SPDX-License-Identifier: MIT
// HTML entities.
#include "msgring/report/markup.hpp"

namespace msgring::report {

std::string markup_escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 || c == '\x7f' ? ' ' : c;
    }
  }
  return out;
}

}  // namespace msgring::report
