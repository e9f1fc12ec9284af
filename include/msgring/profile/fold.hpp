// SPDX-License-Identifier: MIT
// Folding: from what the plugin wrote, addresses, to a profile, functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "msgring/profile/profile.hpp"
#include "msgring/profile/symbols.hpp"

namespace msgring::profile {

/// What is known about a phase from the boot's own point.
struct PhaseFacts {
  std::string name;
  std::string noun;
  std::uint64_t operations = 0;          ///< of the counted rounds together
  std::uint64_t clock_instructions = 0;  ///< of the same rounds; 0 if unknown
  std::uint32_t stretches = 1;           ///< of time that make a round, each between its own marks
};

/// Folds the plugin's raw profile. `phases` are in the order of the marks' numbers.
///
/// A node is a function per chain of calls; jumps within a function, indirect-call thunks and calls
/// within user space make no node of their own.
/// Throws Error (kInvalid) for a damaged or incomplete raw profile, and for a symbol table that
/// does not fit the code that ran: then called addresses are not where functions begin.
Profile fold(std::string_view raw_profile, const SymbolTable& symbols, const Subject& subject,
             const std::vector<PhaseFacts>& phases);

}  // namespace msgring::profile
