// SPDX-License-Identifier: MIT
// Every fact is there once, none is empty, and absent, unknown and "no" stay three answers.
#include "msgring/host/facts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>
#include <string>

#include "fake_tree.hpp"
#include "msgring/host/clock_source.hpp"
#include "msgring/host/file.hpp"

namespace msgring::host {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::vector<std::string> expected_keys = {"kernel.release",
                                                "kernel.version",
                                                "kernel.machine",
                                                "kernel.cmdline",
                                                "kernel.boot_id",
                                                "kernel.btime",
                                                "kernel.uptime_s",
                                                "kernel.build_id",
                                                "kernel.config_source",
                                                "kernel.config_sha256",
                                                "kernel.preempt_mode",
                                                "kernel.preempt_evidence",
                                                "kernel.tainted",
                                                "kernel.out_of_tree_modules",
                                                "kernel.aslr",
                                                "kernel.load_average",
                                                "kernel.tracing",
                                                "cpu.model",
                                                "cpu.vendor",
                                                "cpu.family_model_stepping",
                                                "cpu.microcode",
                                                "cpu.pinned",
                                                "cpu.kind",
                                                "cpu.siblings",
                                                "cpu.present",
                                                "cpu.online",
                                                "cpu.allowed",
                                                "cpu.isolated",
                                                "cpu.nohz_full",
                                                "cpu.governor",
                                                "cpu.energy_performance_preference",
                                                "cpu.scaling_driver",
                                                "cpu.idle_driver",
                                                "cpu.turbo",
                                                "cpu.smt",
                                                "cpu.mitigations",
                                                "cpu.clocksource",
                                                "cpu.clocksource_available",
                                                "cpu.tsc_flags",
                                                "memory.total_kib",
                                                "memory.page_bytes",
                                                "memory.transparent_hugepages",
                                                "memory.hugepages",
                                                "memory.numa_nodes",
                                                "memory.swap",
                                                "limits.nofile_soft",
                                                "limits.nofile_hard",
                                                "limits.memlock_soft",
                                                "limits.memlock_hard",
                                                "limits.io_uring_disabled",
                                                "limits.io_uring_group",
                                                "limits.seccomp",
                                                "virt.hypervisor",
                                                "virt.accelerator",
                                                "virt.container",
                                                "virt.cgroup",
                                                "machine.vendor",
                                                "machine.product",
                                                "machine.bios_version",
                                                "machine.bios_date",
                                                "machine.topology"};

Facts facts_of(const Root& root, std::optional<int> pinned) {
  return collect_facts(root, read_cpu_sets(root), pinned);
}

std::map<std::string, std::string> by_key(const Facts& facts) {
  return {facts.begin(), facts.end()};
}

std::vector<std::string> keys_of(const Facts& facts) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : facts) {
    keys.push_back(key);
  }
  return keys;
}

void expect_complete(const Facts& facts) {
  EXPECT_EQ(keys_of(facts), expected_keys);
  for (const auto& [key, value] : facts) {
    EXPECT_FALSE(value.empty()) << key;
    EXPECT_THAT(value, Not(HasSubstr("\n"))) << key;
  }
}

TEST(Facts, OfThisMachineHaveEveryKeyOnceAndNoEmptyValue) {
  expect_complete(facts_of(Root(), choose_cpu(Root(), read_cpu_sets(Root()))));
  expect_complete(facts_of(Root(), std::nullopt));
}

TEST(Facts, OfEmptyMachineAreAllAbsentOrUnknownNeverLeftOut) {
  const FakeTree empty;
  const Facts facts = facts_of(empty.root(), 0);
  expect_complete(facts);
  const std::set<std::string> known_anyway = {"cpu.pinned",     "cpu.present",
                                              "cpu.online",     "cpu.allowed",
                                              "virt.container", "kernel.preempt_evidence"};
  for (const auto& [key, value] : facts) {
    if (!known_anyway.contains(key)) {
      EXPECT_TRUE(value.starts_with("absent (") || value.starts_with("unknown (")) << key << value;
    }
  }
}

/// The facts of each fake machine as "key: value" lines, beside the machine's own folder.
class FactsOfMachine : public testing::TestWithParam<std::pair<const char*, int>> {};

TEST_P(FactsOfMachine, AreExactlyTheExpectedOnes) {
  const auto [name, cpu] = GetParam();
  std::ostringstream lines;
  for (const auto& [key, value] : facts_of(fake_machine(name), cpu)) {
    lines << key << ": " << value << '\n';
  }
  const TextFile expected =
      read_text_file(std::string(MSGRING_TEST_DATA) + "/host/" + name + ".facts");
  EXPECT_EQ(lines.str(), expected.text);
}

INSTANTIATE_TEST_SUITE_P(All, FactsOfMachine,
                         testing::Values(std::pair("hybrid-laptop", 2), std::pair("vm-kvm", 1),
                                         std::pair("container-seccomp", 9),
                                         std::pair("lazy-server", 4), std::pair("amd-boost", 1)));

TEST(Facts, UnreadableFilesAreUnknownWithTheReason) {
  FakeTree tree("hybrid-laptop");
  tree.make_unreadable("/sys/devices/system/cpu/cpu2/cpufreq/scaling_governor")
      .make_unreadable("/sys/devices/system/cpu/intel_pstate/no_turbo")
      .make_unreadable("/sys/kernel/debug/sched/preempt")
      .make_unreadable("/boot/config-6.12.95-generic")
      .make_unreadable("/sys/kernel/tracing/current_tracer")
      .make_unreadable("/sys/kernel/notes");
  auto facts = by_key(facts_of(tree.root(), 2));
  for (const char* key : {"cpu.governor", "cpu.turbo", "kernel.preempt_mode",
                          "kernel.config_sha256", "kernel.tracing", "kernel.build_id"}) {
    EXPECT_EQ(facts[key], "unknown (EISDIR)") << key;
  }
}

TEST(Facts, WithoutPinnedCpuNameTheDistinctValuesOfAll) {
  FakeTree tree("amd-boost");
  tree.put("/sys/devices/system/cpu/cpu3/cpufreq/scaling_governor", "performance\n");
  auto facts = by_key(facts_of(tree.root(), std::nullopt));
  EXPECT_EQ(facts["cpu.governor"], "schedutil, performance");
  EXPECT_EQ(facts["cpu.pinned"], "no");
  EXPECT_EQ(facts["cpu.siblings"], "absent (not pinned)");
}

TEST(Facts, ConfigDigestIsOfTheUnpackedTextWhereverItCameFrom) {
  FakeTree tree("vm-kvm");
  const std::string packed = by_key(facts_of(tree.root(), 0))["kernel.config_sha256"];
  tree.remove("/proc/config.gz")
      .put("/boot/config-6.1.0-42-cloud-amd64", "CONFIG_PREEMPT_DYNAMIC=y\nCONFIG_IO_URING=y\n");
  auto plain = by_key(facts_of(tree.root(), 0));
  EXPECT_EQ(plain["kernel.config_sha256"], packed);
  EXPECT_EQ(plain["kernel.config_source"], "/boot/config-6.1.0-42-cloud-amd64");
}

TEST(Facts, DamagedConfigIsUnknownNotADigestOfHalfOfIt) {
  FakeTree tree("vm-kvm");
  const std::string whole = read_text_file(tree.root().path("/proc/config.gz")).text;
  tree.put("/proc/config.gz", whole.substr(0, whole.size() - 12));
  EXPECT_THAT(by_key(facts_of(tree.root(), 0))["kernel.config_sha256"],
              StartsWith("unknown (/proc/config.gz is damaged"));
}

TEST(Facts, BoostIsAskedOfIntelThenGlobalThenOwnPolicy) {
  FakeTree tree("amd-boost");
  const std::string folder = "/sys/devices/system/cpu/";
  tree.put(folder + "intel_pstate/no_turbo", "1\n");
  EXPECT_EQ(by_key(facts_of(tree.root(), 1))["cpu.turbo"], "no (intel_pstate/no_turbo)");
  tree.remove(folder + "intel_pstate");
  EXPECT_EQ(by_key(facts_of(tree.root(), 1))["cpu.turbo"], "yes (cpufreq/boost)");
  tree.remove(folder + "cpufreq/boost").put(folder + "cpu1/cpufreq/boost", "0\n");
  EXPECT_EQ(by_key(facts_of(tree.root(), 1))["cpu.turbo"], "no (cpu1/cpufreq/boost)");
  tree.remove(folder + "cpu1/cpufreq/boost");
  EXPECT_EQ(by_key(facts_of(tree.root(), 1))["cpu.turbo"], "absent (no boost switch)");
}

TEST(Facts, ContainerIsKnownByItsFilesOrItsCgroup) {
  FakeTree tree;
  EXPECT_EQ(by_key(facts_of(tree.root(), 0))["virt.container"], "no");
  tree.put("/proc/self/cgroup", "0::/kubepods.slice/pod1\n").put("/run/.containerenv", "");
  EXPECT_EQ(by_key(facts_of(tree.root(), 0))["virt.container"],
            "yes (/run/.containerenv, kubepods in cgroup)");
}

TEST(ClockSource, IsReadAnewEveryTime) {
  FakeTree tree;
  EXPECT_EQ(clock_source(tree.root()), "absent (no clocksource in sysfs)");
  const auto chosen = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
  tree.put(chosen, "tsc\n");
  EXPECT_EQ(clock_source(tree.root()), "tsc");
  tree.put(chosen, "hpet\n");
  EXPECT_EQ(clock_source(tree.root()), "hpet");
}

}  // namespace
}  // namespace msgring::host
