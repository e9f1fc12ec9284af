// SPDX-License-Identifier: MIT
// Reports: a Comparison in, a text out. Nothing here computes, reads or writes a file.
#pragma once

#include <string>

#include "msgring/comparison/comparison.hpp"
#include "msgring/report/section.hpp"

namespace msgring::report {

enum class Colour { kNever, kAlways };

/// One screen for a terminal, at most 100 columns wide but for what cannot be broken; then the
/// sections in brief.
std::string text_report(const comparison::Comparison& comparison, Colour colour,
                        Sections sections = {});

/// Everything that the text says and the rounds behind it, nothing rounded, keys in a fixed order
/// (docs/comparison.md lists them). Effects that are no findings are null.
std::string json_report(const comparison::Comparison& comparison);

/// The same facts as Markdown with tables, and the sections as code blocks.
std::string markdown_report(const comparison::Comparison& comparison, Sections sections = {});

/// One self-contained HTML file: no script, no network, light and dark, printable; a plot of the
/// rounds of every comparison, and the sections with their graphs.
std::string html_report(const comparison::Comparison& comparison, Sections sections = {});

}  // namespace msgring::report
