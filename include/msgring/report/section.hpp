// SPDX-License-Identifier: MIT
// Section: what another room found out, for a report to carry.
#pragma once

#include <span>
#include <string>

namespace msgring::report {

/// Prepared text under a title of its own. A report takes the form that suits it.
struct Section {
  std::string title;
  std::string brief;  ///< lines of at most 76 columns for a terminal and a mail
  std::string text;   ///< all of it, at most 76 columns, shown as it is
  std::string svg;    ///< an SVG element on a white ground; empty: none
};

using Sections = std::span<const Section>;

}  // namespace msgring::report
