// SPDX-License-Identifier: MIT
// Colour for terminals.
#pragma once

#include <string>

#include "msgring/report/report.hpp"

namespace msgring::report {

/// Wraps text in ANSI colours, or leaves it alone.
class Painter {
 public:
  explicit Painter(Colour colour) : paints_(colour == Colour::kAlways) {}

  std::string verdict(const std::string& text, stats::Verdict verdict) const;
  std::string heading(const std::string& text) const { return paint(text, "1"); }
  std::string good(const std::string& text) const { return paint(text, "1;32"); }
  std::string bad(const std::string& text) const { return paint(text, "1;31"); }

 private:
  std::string paint(const std::string& text, const char* code) const;

  bool paints_;
};

}  // namespace msgring::report
