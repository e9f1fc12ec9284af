// SPDX-License-Identifier: MIT
// The stability gates of a contrast, and the doubts that no gate decides.
#pragma once

#include <string>
#include <vector>

#include "msgring/stats/contrast.hpp"

namespace msgring::stats {

/// `rounds`, `cv`, `drift` and `drop_first`, in this order, each with its figure.
std::vector<Gate> stability_gates(const Contrast& contrast, const Result& result,
                                  const Settings& settings);

/// Two modes, very different spreads, no spread at all, few rounds: one line each.
std::vector<std::string> doubts_about(const Contrast& contrast, const Result& result);

}  // namespace msgring::stats
