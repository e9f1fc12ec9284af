// SPDX-License-Identifier: MIT
// Each disturbance is found on a machine that has it and on no other; absence is a note at most.
#include "msgring/host/findings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "fake_tree.hpp"
#include "host/finding_groups.hpp"

namespace msgring::host {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> named(const std::vector<Finding>& findings) {
  std::vector<std::string> names;
  for (const Finding& finding : findings) {
    names.push_back(std::string(severity_text(finding.severity)) + " " + finding.key);
  }
  return names;
}

/// The finding `key`, or one with the key "none".
Finding found(const std::vector<Finding>& findings, const std::string& key) {
  const auto finding = std::find_if(findings.begin(), findings.end(),
                                    [&](const Finding& each) { return each.key == key; });
  return finding == findings.end() ? Finding{Severity::kNote, "none", "", "", ""} : *finding;
}

Finding found(const FakeTree& tree, const std::string& key) {
  return found(diagnose_machine(tree.root(), 1), key);
}

TEST(Findings, OfBusyHybridLaptop) {
  const auto findings = diagnose_machine(fake_machine("hybrid-laptop"), 4);
  // procs_running is 5, so four others on eight CPUs; CPU 4 is an efficiency core of its own.
  EXPECT_THAT(named(findings),
              ElementsAre("warning tracing", "warning governor", "warning boost",
                          "warning core_type", "warning load", "note nmi_watchdog", "note aslr",
                          "note isolation", "note other_tasks", "note swap"));
  EXPECT_EQ(found(findings, "tracing").what, "some events in instance forgotten");
  EXPECT_EQ(found(findings, "governor").what,
            "powersave on CPU 4, energy_performance_preference balance_performance");
  EXPECT_EQ(found(findings, "boost").cure,
            "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo");
  EXPECT_EQ(found(findings, "core_type").cure, "--cpu 2, or none for the strongest");
}

TEST(Findings, OfGuestWithoutCpufreqAreNotesOnly) {
  EXPECT_THAT(named(diagnose_machine(fake_machine("vm-kvm"), 1)),
              ElementsAre("note virtual_machine", "note tracing", "note preemption", "note aslr",
                          "note governor", "note boost", "note clocksource", "note isolation"));
}

TEST(Findings, OfQuietServerAreNone) {
  EXPECT_THAT(named(diagnose_machine(fake_machine("lazy-server"), 4)), IsEmpty());
  EXPECT_THAT(named(diagnose_machine(fake_machine("lazy-server"), 1)),
              ElementsAre("note isolation"));
}

TEST(Findings, OfDebugKernelOnBoostedMachineBeginWithTheWorst) {
  const auto findings = diagnose_machine(fake_machine("amd-boost"), 1);
  EXPECT_THAT(named(findings),
              ElementsAre("serious debug_kernel", "warning governor", "warning boost",
                          "warning smt_sibling", "warning clocksource", "note tracing",
                          "note preemption", "note nmi_watchdog", "note aslr", "note isolation"));
  EXPECT_EQ(found(findings, "debug_kernel").what,
            "CONFIG_KASAN, CONFIG_LOCKDEP, CONFIG_DEBUG_KMEMLEAK, slub_debug=FZP");
  EXPECT_EQ(found(findings, "boost").cure, "echo 0 > /sys/devices/system/cpu/cpufreq/boost");
  EXPECT_EQ(found(findings, "smt_sibling").cure, "echo 0 > /sys/devices/system/cpu/cpu5/online");
}

TEST(Findings, OfThisMachineAreWholeSentencesInOrder) {
  const auto findings = diagnose_machine(Root(), 0);
  for (const Finding& finding : findings) {
    EXPECT_FALSE(finding.key.empty());
    EXPECT_FALSE(finding.what.empty()) << finding.key;
    EXPECT_FALSE(finding.why.empty()) << finding.key;
  }
  EXPECT_TRUE(std::is_sorted(findings.begin(), findings.end(),
                             [](const auto& a, const auto& b) { return a.severity > b.severity; }));
}

TEST(Findings, TracersAreSeriousWhereverTracefsIsMounted) {
  FakeTree tree("lazy-server");
  tree.put("/sys/kernel/tracing/current_tracer", "function_graph\n");
  EXPECT_EQ(found(tree, "tracing").severity, Severity::kSerious);
  EXPECT_EQ(found(tree, "tracing").what, "tracer function_graph");
  tree.put("/sys/kernel/tracing/current_tracer", "nop\n")
      .put("/sys/kernel/tracing/enabled_functions", "io_msg_ring (1) R\nvfs_read (1) R\n");
  EXPECT_EQ(found(tree, "tracing").what, "2 hooked functions");
  EXPECT_EQ(found(tree, "tracing").severity, Severity::kWarning);
  FakeTree old("lazy-server");
  old.remove("/sys/kernel/tracing").put("/sys/kernel/debug/tracing/current_tracer", "nop\n");
  EXPECT_EQ(found(old, "tracing").key, "none");
  old.put("/sys/kernel/debug/tracing/events/enable", "1\n");
  EXPECT_EQ(found(old, "tracing").what, "all events");
}

TEST(Findings, UnreadableTracefsIsNoteThatSaysSo) {
  FakeTree tree("lazy-server");
  tree.make_unreadable("/sys/kernel/tracing/current_tracer");
  EXPECT_EQ(found(tree, "tracing").what, "unknown (EISDIR)");
  EXPECT_EQ(found(tree, "tracing").severity, Severity::kNote);
  // Under lockdown the tracer can be read and the hooked functions cannot.
  FakeTree locked("lazy-server");
  locked.make_unreadable("/sys/kernel/tracing/enabled_functions");
  EXPECT_EQ(found(locked, "tracing").what, "off; unknown: hooked functions (EISDIR)");
  EXPECT_EQ(found(locked, "tracing").severity, Severity::kNote);
  locked.put("/sys/kernel/tracing/events/enable", "X\n");
  EXPECT_EQ(found(locked, "tracing").what, "some events; unknown: hooked functions (EISDIR)");
}

TEST(Findings, DebugWordsOfTheCommandLineCountWithoutConfiguration) {
  FakeTree tree("lazy-server");
  tree.remove("/proc/config.gz");
  EXPECT_THAT(found(tree, "debug_kernel").what, HasSubstr("configuration absent"));
  tree.put("/proc/cmdline", "quiet slab_debug=P kmemleak=on\n");
  EXPECT_EQ(found(tree, "debug_kernel").what, "slab_debug=P, kmemleak=on");
  EXPECT_EQ(found(tree, "debug_kernel").severity, Severity::kWarning);
}

TEST(Findings, IsolationIsAdvisedOnlyWhereItCanBeHad) {
  FakeTree tree("vm-kvm");
  EXPECT_EQ(found(tree, "isolation").cure, "boot with isolcpus=1 nohz_full=1");
  EXPECT_EQ(found(diagnose_machine(tree.root(), 0), "isolation").cure,
            "measure on another CPU and boot with isolcpus= and nohz_full= for it");
  tree.put("/sys/devices/system/cpu/online", "0\n").put("/sys/devices/system/cpu/present", "0\n");
  EXPECT_EQ(found(diagnose_machine(tree.root(), 0), "isolation").key, "none");
}

TEST(Findings, TasksForEveryCpuAreWarningOnceTheBootIsOver) {
  FakeTree tree("lazy-server");
  tree.put("/proc/stat", "cpu  1 1 1 1\ncpu0 1 1 1 1\ncpu1 1 1 1 1\nctxt 1\nprocs_running 3\n")
      .put("/proc/uptime", "120.00 100.00\n");
  EXPECT_EQ(found(tree, "other_tasks").severity, Severity::kWarning);
  EXPECT_EQ(found(tree, "other_tasks").what, "2 besides this one want to run now; CPUs online: 2");
  tree.put("/proc/uptime", "119.99 100.00\n");
  EXPECT_EQ(found(tree, "other_tasks").severity, Severity::kNote) << "settling waits for them";
}

TEST(Findings, AddressRandomisationIsSaidWhileAnyOfItIsLeft) {
  FakeTree tree("lazy-server");
  tree.put("/proc/sys/kernel/randomize_va_space", "2\n");
  EXPECT_EQ(found(tree, "aslr").what, "randomize_va_space 2, nokaslr on the command line");
  tree.put("/proc/sys/kernel/randomize_va_space", "0\n").put("/proc/cmdline", "quiet\n");
  EXPECT_EQ(found(tree, "aslr").what, "randomize_va_space 0, nokaslr not on the command line");
}

TEST(Findings, PlainEmulationIsSeriousCountedEmulationIsNot) {
  std::vector<Finding> findings;
  const Hypervisor tcg = hypervisor_of(value("TCGTCGTCGTCG"));
  append_hypervisor_finding(tcg, {false, ""}, findings);
  append_hypervisor_finding(tcg, {true, ""}, findings);
  append_hypervisor_finding(hypervisor_of(value("KVMKVMKVM")), {false, ""}, findings);
  append_hypervisor_finding(hypervisor_of(value("")), {false, ""}, findings);
  EXPECT_THAT(named(findings),
              ElementsAre("serious emulation", "note emulation", "note virtual_machine"));
}

TEST(Findings, LineHasSeverityKeyWhatWhyAndCure) {
  EXPECT_EQ(describe(Finding{Severity::kWarning, "boost", "on", "it varies", "switch it off"}),
            "warning: boost: on; it varies; switch it off");
  EXPECT_EQ(describe(Finding{Severity::kNote, "boost", "absent (no boost switch)", "not seen", ""}),
            "note: boost: absent (no boost switch); not seen");
}

}  // namespace
}  // namespace msgring::host
