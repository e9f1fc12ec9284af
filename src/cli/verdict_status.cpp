// SPDX-License-Identifier: MIT
#include "cli/verdict_status.hpp"

#include <algorithm>

namespace msgring::cli {

ExitStatus status_of(const comparison::Comparison& comparison,
                     const std::vector<std::string>& fail_on) {
  if (comparison.verdict == stats::Verdict::kInvalid) {
    return ExitStatus::kInvalid;
  }
  const bool failed = std::any_of(
      comparison.entries.begin(), comparison.entries.end(), [&](const comparison::Entry& entry) {
        const std::string_view verdict = stats::verdict_text(entry.result.verdict);
        return std::find(fail_on.begin(), fail_on.end(), verdict) != fail_on.end();
      });
  if (failed) {
    return ExitStatus::kFailOn;
  }
  return comparison.verdict == stats::Verdict::kInconclusive ? ExitStatus::kInconclusive
                                                             : ExitStatus::kOk;
}

}  // namespace msgring::cli
