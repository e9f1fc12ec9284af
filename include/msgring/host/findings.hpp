// SPDX-License-Identifier: MIT
// What disturbs a measurement on this machine, why that matters, and what cures it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "msgring/host/root.hpp"

namespace msgring::host {

/// `kNote`: good to know. `kWarning`: costs precision, or must be equal on both sides of a
/// comparison. `kSerious`: times from here mean nothing.
enum class Severity { kNote, kWarning, kSerious };

/// "note", "warning" or "serious".
std::string_view severity_text(Severity severity);

struct Finding {
  Severity severity;
  std::string key;   ///< stable and short, for files: "governor", "tracing", ...
  std::string what;  ///< the state that was found, with the figure or file it was read from
  std::string why;   ///< what it does to a measurement
  std::string cure;  ///< the command or action; empty where there is none
};

/// Diagnoses the machine for a measurement on `cpu`. Reads only. The worst findings come first,
/// within one severity in a fixed order. What a machine does not have (cpufreq in a guest, tracefs
/// that is not mounted) is at most a note; what cannot be read is a note that says so.
std::vector<Finding> diagnose_machine(const Root& root, int cpu);

/// One line for a person: "warning: governor: what; why; cure".
std::string describe(const Finding& finding);

}  // namespace msgring::host
