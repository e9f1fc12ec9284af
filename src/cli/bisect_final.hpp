// SPDX-License-Identifier: MIT
// What a search found, booted once more as a sandwich of its own: the evidence, why, and the mail.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>

#include "msgring/boot/run.hpp"

namespace msgring::cli {

/// The two neighbours, and how their step is reported.
struct FinalStep {
  boot::RolePlan good;
  boot::RolePlan bad;
  std::string introduced;  ///< for the mail's regzbot block; empty: none
  bool explain = true;
};

/// Boots the sandwich good, bad, good into `setup.folder`, or goes on with it, reports it there
/// (report.txt, mail.txt, why/, ...), and prints the report. A finished one is only printed.
void report_final_step(const boot::Plan& step_plan, const boot::RunSetup& setup,
                       const std::string& primary, const FinalStep& step,
                       const std::stop_token& stop);

}  // namespace msgring::cli
