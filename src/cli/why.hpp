// SPDX-License-Identifier: MIT
// Why a run came out as it did: `msgring aba --explain --trace`.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "msgring/boot/run.hpp"
#include "msgring/comparison/comparison.hpp"
#include "msgring/report/section.hpp"

namespace msgring::cli {

/// What to look for, after the verdict.
struct WhyOptions {
  bool explain = false;  ///< --explain: instructions by kernel function
  bool trace = false;    ///< --trace: calls and allocations
};

/// Boots the kernels of the baseline and of every other role once more for each of the two, with
/// the primary comparison's workload and shape, writes what they gave below `why/` in the run's
/// folder, and returns it for the reports.
///
/// A boot that fails here changes no verdict: the section then says what went wrong. What an
/// interrupted attempt has left in `why/` is made anew. Throws Error (kInterrupted) when stopped.
std::vector<report::Section> find_reasons(const comparison::Comparison& comparison,
                                          const boot::Plan& plan, const boot::RunSetup& setup,
                                          const WhyOptions& options, const std::stop_token& stop);

}  // namespace msgring::cli
