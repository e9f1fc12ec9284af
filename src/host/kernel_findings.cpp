// SPDX-License-Identifier: MIT
// What makes the kernel itself slower, or different from the one on the other side.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "answer.hpp"
#include "finding_groups.hpp"
#include "kernel_config.hpp"
#include "parse.hpp"
#include "preemption.hpp"
#include "tracing_state.hpp"

namespace msgring::host {
namespace {

void judge_tracing(const Root& root, std::vector<Finding>& findings) {
  const TracingState state = read_tracing_state(root);
  if (state.state != FileState::kRead) {
    findings.push_back({Severity::kNote, "tracing", text_of(state),
                        "whether something is being traced cannot be seen",
                        state.state == FileState::kUnreadable ? "look as root" : ""});
    return;
  }
  if (state.active.empty()) {
    if (!state.unseen.empty()) {
      findings.push_back({Severity::kNote, "tracing", text_of(state),
                          "whether that is on cannot be seen", "look as root, without lockdown"});
    }
    return;
  }
  const bool has_tracer =
      std::any_of(state.active.begin(), state.active.end(),
                  [](const std::string& what) { return what.starts_with("tracer "); });
  findings.push_back({has_tracer ? Severity::kSerious : Severity::kWarning, "tracing",
                      text_of(state), "every traced call costs time inside the timed region",
                      "switch it off: current_tracer to nop, events/enable to 0, in every instance "
                      "below /sys/kernel/tracing; end programs that hook functions (BPF, live "
                      "patches)"});
}

struct DebugOption {
  std::string_view name;
  Severity severity;
};

/// Options whose checks run in the paths that are measured.
constexpr DebugOption kDebugOptions[] = {
    {"KASAN", Severity::kSerious},
    {"KCSAN", Severity::kSerious},
    {"KMSAN", Severity::kSerious},
    {"LOCKDEP", Severity::kSerious},
    {"DEBUG_KMEMLEAK", Severity::kWarning},
    {"SLUB_DEBUG_ON", Severity::kWarning},
    {"DEBUG_OBJECTS", Severity::kWarning},
    {"DEBUG_PREEMPT", Severity::kWarning},
    {"DEBUG_ATOMIC_SLEEP", Severity::kWarning},
    {"KCOV", Severity::kWarning},
};

/// The same, switched on by the command line.
constexpr std::string_view kDebugWords[] = {"slub_debug", "slab_debug", "debug_pagealloc=on",
                                            "page_owner=on", "kmemleak=on"};

void judge_debug_options(const Root& root, std::vector<Finding>& findings) {
  const KernelConfig config = read_kernel_config(root);
  std::vector<std::string> found;
  Severity worst = Severity::kNote;
  for (const auto& [name, severity] : kDebugOptions) {
    if (is_built_in(config, name)) {
      found.push_back(fmt::format("CONFIG_{}", name));
      worst = std::max(worst, severity);
    }
  }
  const std::string command_line = read_attribute(root.path("/proc/cmdline")).text;
  for (const std::string_view word : words_of(command_line)) {
    for (const std::string_view debug : kDebugWords) {
      if (word.starts_with(debug)) {
        found.emplace_back(word);
        worst = std::max(worst, Severity::kWarning);
      }
    }
  }
  if (!found.empty()) {
    findings.push_back({worst, "debug_kernel", fmt::format("{}", fmt::join(found, ", ")),
                        "checks of the debug kernel run in the measured paths",
                        "boot a kernel without them"});
  } else if (!has_value(config.text)) {
    findings.push_back({Severity::kNote, "debug_kernel",
                        fmt::format("configuration {}", text_of(config.text)),
                        "debug options that slow the kernel down cannot be seen", ""});
  }
}

void judge_preemption(const Root& root, std::vector<Finding>& findings) {
  const KernelConfig config = read_kernel_config(root);
  const Answer mode = preemption_mode(root, config);
  if (!has_value(mode)) {
    findings.push_back({Severity::kNote, "preemption",
                        fmt::format("{}; {}", text_of(mode), preemption_evidence(root, config)),
                        "two kernels with different modes differ in time for that reason alone",
                        "mount debugfs and run as root, or boot with preempt= on both sides"});
  }
}

void judge_watchdog(const Root& root, std::vector<Finding>& findings) {
  const Answer watchdog = attribute(root, "/proc/sys/kernel/nmi_watchdog", "no nmi_watchdog");
  if (has_value(watchdog) && watchdog.text == "1") {
    findings.push_back({Severity::kNote, "nmi_watchdog", "on",
                        "it interrupts every CPU from time to time and takes a counter from perf",
                        "sysctl kernel.nmi_watchdog=0"});
  }
}

void judge_address_randomisation(const Root& root, std::vector<Finding>& findings) {
  const Answer aslr =
      attribute(root, "/proc/sys/kernel/randomize_va_space", "no randomize_va_space");
  const std::string command_line = read_attribute(root.path("/proc/cmdline")).text;
  const auto words = words_of(command_line);
  const bool has_nokaslr = std::find(words.begin(), words.end(), "nokaslr") != words.end();
  if (!has_value(aslr) || (aslr.text == "0" && has_nokaslr)) {
    return;
  }
  findings.push_back({Severity::kNote, "aslr",
                      fmt::format("randomize_va_space {}, nokaslr {}on the command line", aslr.text,
                                  has_nokaslr ? "" : "not "),
                      "memory layout differs from boot to boot and moves results by some 0.2 %",
                      "several boots average it out; nokaslr and randomize_va_space=0 remove it"});
}

}  // namespace

void append_kernel_findings(const Root& root, std::vector<Finding>& findings) {
  judge_tracing(root, findings);
  judge_debug_options(root, findings);
  judge_preemption(root, findings);
  judge_watchdog(root, findings);
  judge_address_randomisation(root, findings);
}

void append_hypervisor_finding(const Hypervisor& hypervisor, const TscTrial& trial,
                               std::vector<Finding>& findings) {
  if (hypervisor.accelerator == Accelerator::kTcg && !trial.counts_instructions) {
    findings.push_back({Severity::kSerious, "emulation", "QEMU TCG without instruction counting",
                        "time in an emulator says nothing about the kernel's speed",
                        "use KVM, or -icount shift=0 and --clock tsc to count instructions"});
  } else if (hypervisor.accelerator == Accelerator::kTcg) {
    findings.push_back({Severity::kNote, "emulation", "QEMU TCG counting instructions",
                        "it measures path length in instructions, never time", "use --clock tsc"});
  } else if (hypervisor.accelerator != Accelerator::kNone) {
    findings.push_back({Severity::kNote, "virtual_machine", text_of(hypervisor.name),
                        "other guests and the host share the CPU, unseen from here",
                        "compare only runs of the same guest on the same host"});
  }
}

}  // namespace msgring::host
