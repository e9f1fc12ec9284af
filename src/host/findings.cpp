// SPDX-License-Identifier: MIT
// All judges, worst findings first.
#include "msgring/host/findings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "finding_groups.hpp"

namespace msgring::host {
namespace {

TscTrial trial_of(const Root& root, const Hypervisor& hypervisor) {
  if (root.is_this_machine() && hypervisor.accelerator == Accelerator::kTcg) {
    return try_tsc();
  }
  return {false, "not tried"};
}

}  // namespace

std::string_view severity_text(Severity severity) {
  switch (severity) {
    case Severity::kNote:
      return "note";
    case Severity::kWarning:
      return "warning";
    default:
      return "serious";
  }
}

std::vector<Finding> diagnose_machine(const Root& root, int cpu) {
  std::vector<Finding> findings;
  const Hypervisor hypervisor = find_hypervisor(root);
  append_hypervisor_finding(hypervisor, trial_of(root, hypervisor), findings);
  append_kernel_findings(root, findings);
  append_cpu_findings(root, cpu, findings);
  append_load_findings(root, findings);
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& left, const Finding& right) {
    return left.severity > right.severity;
  });
  return findings;
}

std::string describe(const Finding& finding) {
  return fmt::format("{}: {}: {}; {}{}{}", severity_text(finding.severity), finding.key,
                     finding.what, finding.why, finding.cure.empty() ? "" : "; ", finding.cure);
}

}  // namespace msgring::host
