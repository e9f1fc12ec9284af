// SPDX-License-Identifier: MIT
// debugfs first, then the configuration of a kernel whose mode cannot change.
#include "preemption.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "parse.hpp"

namespace msgring::host {
namespace {

constexpr std::string_view kDebugfsFile = "/sys/kernel/debug/sched/preempt";

/// CONFIG_PREEMPT_* of a mode that was chosen when the kernel was built.
constexpr std::pair<std::string_view, std::string_view> kBuiltInModes[] = {
    {"PREEMPT_RT", "rt"},     {"PREEMPT_LAZY", "lazy"},
    {"PREEMPT", "full"},      {"PREEMPT_VOLUNTARY", "voluntary"},
    {"PREEMPT_NONE", "none"},
};

void append_words(std::string_view text, std::string_view start, std::string_view source,
                  std::vector<std::string>& evidence) {
  for (const std::string_view word : words_of(text)) {
    if (word.starts_with(start)) {
      evidence.push_back(fmt::format("{} {}", source, word));
    }
  }
}

}  // namespace

Answer preemption_mode(const Root& root, const KernelConfig& config) {
  Answer mode = chosen_word(attribute(root, kDebugfsFile, "no sched/preempt in debugfs"), '(', ')');
  if (mode.state != FileState::kAbsent) {
    return mode;
  }
  if (has_value(config.text) && !is_built_in(config, "PREEMPT_DYNAMIC")) {
    for (const auto& [name, word] : kBuiltInModes) {
      if (is_built_in(config, name)) {
        return value(fmt::format("{} (built in)", word));
      }
    }
  }
  // A mode there is, always; only the file that names it is missing.
  return unknown(mode.text);
}

std::string preemption_evidence(const Root& root, const KernelConfig& config) {
  std::vector<std::string> evidence;
  append_words(read_attribute(root.path("/proc/cmdline")).text, "preempt=", "cmdline", evidence);
  if (has_value(config.text)) {
    for (const std::string_view name : {"PREEMPT_DYNAMIC", "PREEMPT_RT", "PREEMPT_LAZY", "PREEMPT",
                                        "PREEMPT_VOLUNTARY", "PREEMPT_NONE"}) {
      if (is_built_in(config, name)) {
        evidence.push_back(fmt::format("config {}", name));
      }
    }
  } else {
    evidence.push_back("config " + text_of(config.text));
  }
  append_words(read_attribute(root.path("/proc/sys/kernel/version")).text, "PREEMPT", "uname",
               evidence);
  return fmt::format("{}", fmt::join(evidence, "; "));
}

}  // namespace msgring::host
