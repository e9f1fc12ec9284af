// SPDX-License-Identifier: MIT
// From the boots of a run to its verdict, its reports and its seal.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "cli/why.hpp"
#include "msgring/boot/run.hpp"
#include "msgring/error.hpp"

namespace msgring::cli {

/// How the boots are compared.
struct ReportOptions {
  double threshold = 0.01;           ///< as a fraction
  std::string primary;               ///< `workload` or `workload/phase`; empty: the first
  std::vector<std::string> fail_on;  ///< verdicts that make the exit status kFailOn
  std::string introduced;            ///< for the mail's regzbot block
  WhyOptions why;                    ///< what else to find out
};

/// Compares, finds out why where asked for, writes report.txt, report.json, report.md, report.html
/// and, for a regression, mail.txt into the folder, seals it, and prints the text. Returns what the
/// process has to say.
ExitStatus report_run(const boot::RunSetup& setup, const boot::Plan& plan,
                      const boot::RunResult& result, const ReportOptions& options,
                      const std::stop_token& stop);

}  // namespace msgring::cli
