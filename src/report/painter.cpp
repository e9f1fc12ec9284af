// SPDX-License-Identifier: MIT
// ANSI colours.
#include "report/painter.hpp"

#include <fmt/format.h>

namespace msgring::report {

std::string Painter::paint(const std::string& text, const char* code) const {
  return paints_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

std::string Painter::verdict(const std::string& text, stats::Verdict verdict) const {
  switch (verdict) {
    case stats::Verdict::kSlower:
    case stats::Verdict::kInvalid:
      return bad(text);
    case stats::Verdict::kFaster:
    case stats::Verdict::kUnchanged:
      return good(text);
    case stats::Verdict::kInconclusive:
      break;
  }
  return paint(text, "1;33");
}

}  // namespace msgring::report
