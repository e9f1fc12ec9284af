// SPDX-License-Identifier: MIT
// What a person or a program reads of a difference: text, JSON, folded stacks, HTML.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "msgring/profile/difference.hpp"

namespace msgring::profile {

/// How much of a difference the text shows.
struct TextLimits {
  std::size_t functions = 20;  ///< rows; the others are one row together
  std::size_t inclusive = 12;  ///< rows with everything below
  double tree_share = 0.02;    ///< of the total of A: what a call tree line must have changed by
};

/// Plain text of at most 76 columns. Printed columns add up to the printed totals.
std::string difference_text(std::span<const Difference> phases, const TextLimits& limits = {});

/// The same in brief: for each phase the `functions` whose own instructions changed most, and the
/// others together.
std::string difference_brief(std::span<const Difference> phases, std::size_t functions);

/// Everything, in whole numbers with the divisor beside them.
std::string difference_json(std::span<const Difference> phases);

/// One line a stack, `frame;frame A B` with the own instructions of both (times the divisor): the
/// input of the usual tools for differential flame graphs.
std::string difference_folded(std::span<const Difference> phases);

/// One HTML page that needs nothing else: table and differential flame graph, no scripts.
std::string difference_html(std::span<const Difference> phases);

/// The flame graph alone, as an SVG element: width is the larger side's instructions, colour is
/// the change.
std::string flame_graph_svg(const Difference& difference);

}  // namespace msgring::profile
