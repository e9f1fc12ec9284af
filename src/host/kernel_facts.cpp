// SPDX-License-Identifier: MIT
// kernel.*: which kernel, which boot, how configured, in what state.
#include <fmt/format.h>
#include <sys/utsname.h>

#include "answer.hpp"
#include "fact_groups.hpp"
#include "kernel_config.hpp"
#include "msgring/host/boot_identity.hpp"
#include "msgring/host/sha256.hpp"
#include "parse.hpp"
#include "preemption.hpp"
#include "tracing_state.hpp"

namespace msgring::host {
namespace {

std::string machine_of(const Root& root) {
  const Answer arch = attribute(root, "/proc/sys/kernel/arch", "no kernel.arch before Linux 6.1");
  if (arch.state == FileState::kAbsent && root.is_this_machine()) {
    utsname name{};
    ::uname(&name);
    return static_cast<const char*>(name.machine);
  }
  return text_of(arch);
}

template <typename Number>
std::string number_text(const std::optional<Number>& number, std::string_view file) {
  return number ? fmt::format("{}", *number) : text_of(unknown(fmt::format("not in {}", file)));
}

/// Bit 12 of the taint mask (Documentation/admin-guide/tainted-kernels.rst).
std::string out_of_tree_modules(const Answer& tainted) {
  const auto mask = parse_number<std::uint64_t>(tainted.text);
  if (!has_value(tainted) || !mask) {
    return text_of(unknown("no taint mask"));
  }
  constexpr std::uint64_t kOutOfTree = std::uint64_t{1} << 12U;
  return (*mask & kOutOfTree) != 0 ? "yes" : "no";
}

std::string load_average(const Root& root) {
  const Answer load = attribute(root, "/proc/loadavg", "no /proc/loadavg");
  const auto words = words_of(load.text);
  return has_value(load) && words.size() >= 3
             ? fmt::format("{} {} {}", words[0], words[1], words[2])
             : text_of(load);
}

void append_config_facts(const KernelConfig& config, Facts& facts) {
  facts.emplace_back("kernel.config_source",
                     config.source.empty() ? text_of(config.text) : config.source);
  facts.emplace_back("kernel.config_sha256", has_value(config.text)
                                                 ? sha256_of_bytes(config.text.text)
                                                 : text_of(config.text));
}

}  // namespace

void append_kernel_facts(const Root& root, Facts& facts) {
  const BootIdentity boot = read_boot_identity(root);
  const KernelConfig config = read_kernel_config(root);
  const Answer tainted = attribute(root, "/proc/sys/kernel/tainted", "no kernel.tainted");
  facts.emplace_back("kernel.release", boot.release);
  facts.emplace_back("kernel.version",
                     text_of(attribute(root, "/proc/sys/kernel/version", "no kernel.version")));
  facts.emplace_back("kernel.machine", machine_of(root));
  facts.emplace_back("kernel.cmdline",
                     text_of(attribute(root, "/proc/cmdline", "no /proc/cmdline")));
  facts.emplace_back("kernel.boot_id", boot.boot_id);
  facts.emplace_back("kernel.btime", number_text(boot.btime_s, "/proc/stat"));
  facts.emplace_back("kernel.uptime_s", number_text(boot.uptime_s, "/proc/uptime"));
  facts.emplace_back("kernel.build_id", boot.build_id);
  append_config_facts(config, facts);
  facts.emplace_back("kernel.preempt_mode", text_of(preemption_mode(root, config)));
  facts.emplace_back("kernel.preempt_evidence", preemption_evidence(root, config));
  facts.emplace_back("kernel.tainted", text_of(tainted));
  facts.emplace_back("kernel.out_of_tree_modules", out_of_tree_modules(tainted));
  facts.emplace_back("kernel.aslr", text_of(attribute(root, "/proc/sys/kernel/randomize_va_space",
                                                      "no randomize_va_space")));
  facts.emplace_back("kernel.load_average", load_average(root));
  facts.emplace_back("kernel.tracing", text_of(read_tracing_state(root)));
}

}  // namespace msgring::host
