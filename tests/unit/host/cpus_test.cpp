// SPDX-License-Identifier: MIT
// The CPU is chosen from the allowed mask by strength, refused by name, and read back after
// pinning.
#include "msgring/host/cpus.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <thread>

#include "fake_tree.hpp"
#include "thrown_error.hpp"

namespace msgring::host {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

int chosen(const Root& root) { return choose_cpu(root, read_cpu_sets(root)); }

TEST(CpuList, ReadsAndWritesTheKernelsFormat) {
  EXPECT_EQ(parse_cpu_list("0-3,8,10-11"), (CpuList{0, 1, 2, 3, 8, 10, 11}));
  EXPECT_EQ(parse_cpu_list("3,1,1-2"), (CpuList{1, 2, 3}));
  EXPECT_EQ(parse_cpu_list(""), CpuList{});
  EXPECT_EQ(format_cpu_list({0, 1, 2, 3, 8, 10, 11}), "0-3,8,10-11");
  EXPECT_EQ(format_cpu_list({}), "none");
}

TEST(CpuList, RefusesEverythingElse) {
  for (const char* text : {"a", "1-", "-1", "3-1", "1,", ",1", "1,,2", "1 2", "0-3/2", "16384",
                           "0-99999999", "99999999999999999999"}) {
    EXPECT_EQ(parse_cpu_list(text), std::nullopt) << text;
  }
}

TEST(CpuSets, ComeFromFilesInFakeTree) {
  const CpuSets sets = read_cpu_sets(fake_machine("lazy-server"));
  EXPECT_EQ(format_cpu_list(sets.present), "0-7");
  EXPECT_EQ(format_cpu_list(sets.online), "0-5,7");
  EXPECT_EQ(format_cpu_list(sets.allowed), "0-3,7");
  EXPECT_EQ(format_cpu_list(sets.isolated), "4-5");
}

TEST(CpuSets, OfThisMachineHoldTheMaskAndLeaveItAlone) {
  cpu_set_t before;
  cpu_set_t after;
  ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
  const CpuSets sets = read_cpu_sets(Root());
  ASSERT_EQ(::sched_getaffinity(0, sizeof after, &after), 0);
  EXPECT_TRUE(CPU_EQUAL(&before, &after));
  ASSERT_FALSE(sets.allowed.empty());
  EXPECT_EQ(static_cast<int>(sets.allowed.size()), CPU_COUNT(&before));
  for (const int cpu : sets.allowed) {
    EXPECT_TRUE(contains(sets.online, cpu)) << cpu;
    EXPECT_TRUE(contains(sets.settable, cpu)) << cpu;
  }
}

TEST(CpuSets, WithoutSysfsTheMaskStandsForTheMachine) {
  FakeTree tree;
  tree.put("/proc/self/status", "Cpus_allowed_list:\t2-3\n");
  EXPECT_THAT(read_cpu_sets(tree.root()).present, ElementsAre(2, 3));
}

TEST(ChooseCpu, PrefersPerformanceCoreEvenWhereCapacityIsEqual) {
  // Cores 0-3 are cpu_core, 4-7 cpu_atom; 2 and 3 have the higher frequency of the two P cores.
  EXPECT_EQ(chosen(fake_machine("hybrid-laptop")), 2);
  FakeTree tree("hybrid-laptop");
  tree.put("/proc/self/status", "Cpus_allowed_list:\t1,4-7\n");
  EXPECT_EQ(chosen(tree.root()), 1) << "a core shared with CPU 0 still beats an efficiency core";
}

TEST(ChooseCpu, PrefersHigherCapacityWhereThatIsTheOnlySource) {
  FakeTree tree;
  tree.put("/sys/devices/system/cpu/online", "0-3").put("/sys/devices/system/cpu/present", "0-3");
  tree.put("/proc/self/status", "Cpus_allowed_list:\t0-3\n");
  for (const int cpu : {0, 1, 2, 3}) {
    tree.put("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cpu_capacity",
             cpu < 2 ? "446\n" : "1024\n");
  }
  EXPECT_EQ(chosen(tree.root()), 2);
  EXPECT_EQ(kind_of(tree.root(), {0, 1, 2, 3}, 0), "capacity 446 of 1024");
}

TEST(ChooseCpu, StaysInsideRestrictedMask) {
  // 9-11 of 16: CPU 9 is the first, and none of them shares CPU 0's core (0 and 8).
  EXPECT_EQ(chosen(fake_machine("container-seccomp")), 9);
}

TEST(ChooseCpu, AvoidsCpu0AndItsSiblingWhereAnotherIsEqual) {
  EXPECT_EQ(chosen(fake_machine("vm-kvm")), 1);
  FakeTree tree("amd-boost");  // siblings of 0: 0 and 4
  tree.put("/proc/self/status", "Cpus_allowed_list:\t0,4,6\n");
  EXPECT_EQ(chosen(tree.root()), 6);
  tree.put("/proc/self/status", "Cpus_allowed_list:\t0,4\n");
  EXPECT_EQ(chosen(tree.root()), 4);
  tree.put("/proc/self/status", "Cpus_allowed_list:\t0\n");
  EXPECT_EQ(chosen(tree.root()), 0);
}

TEST(ChooseCpu, TakesIsolatedCpuOnlyWhereNobodyRestrictedTheMask) {
  const Root root = fake_machine("lazy-server");
  CpuSets sets = read_cpu_sets(root);
  sets.settable = sets.online;  // what this machine's kernel would grant
  EXPECT_EQ(choose_cpu(root, sets), 4);
  sets.allowed = {1, 2};  // taskset -c 1,2
  EXPECT_EQ(choose_cpu(root, sets), 1);
  sets.allowed = {2, 5};  // taskset -c 2,5: an isolated one was asked for
  EXPECT_EQ(choose_cpu(root, sets), 5);
}

TEST(ChooseCpu, SaysSoWhenThereIsNone) {
  const FakeTree empty;
  const ThrownError error = error_of([&] { chosen(empty.root()); });
  EXPECT_EQ(error.status, ExitStatus::kEnvironment);
  EXPECT_THAT(error.line, HasSubstr("the allowed list is empty"));
}

TEST(KindOf, NamesTypeCapacityFrequencyOrTheirAbsence) {
  EXPECT_EQ(kind_of(fake_machine("hybrid-laptop"), {0, 4}, 4), "cpu_atom");
  EXPECT_EQ(kind_of(fake_machine("hybrid-laptop"), {0, 4}, 0), "cpu_core");
  EXPECT_EQ(kind_of(fake_machine("amd-boost"), {0, 1}, 0), "uniform");
  EXPECT_EQ(kind_of(fake_machine("vm-kvm"), {0}, 0), "uniform") << "it has no other to differ from";
  EXPECT_EQ(kind_of(fake_machine("vm-kvm"), {0, 1}, 0),
            "absent (no cpu_capacity, no cpufreq, no hybrid PMU)");
  FakeTree tree("amd-boost");
  tree.put("/sys/devices/system/cpu/cpu1/cpufreq/cpuinfo_max_freq", "3000000\n");
  EXPECT_EQ(kind_of(tree.root(), {0, 1}, 1), "max 3000000 kHz of 4672000 kHz");
}

TEST(SiblingsOf, UsesOldNameOfTheListWhereTheNewOneIsMissing) {
  FakeTree tree;
  tree.put("/sys/devices/system/cpu/cpu3/topology/thread_siblings_list", "3,7\n");
  EXPECT_THAT(siblings_of(tree.root(), 3), ElementsAre(3, 7));
  EXPECT_TRUE(siblings_of(tree.root(), 4).empty());
}

TEST(RequireUsableCpu, NamesWhatIsWrongAndTheListToChooseFrom) {
  const CpuSets server = read_cpu_sets(fake_machine("lazy-server"));
  const ThrownError beyond = error_of([&] { require_usable_cpu(server, 999); });
  EXPECT_EQ(beyond.status, ExitStatus::kUsage);
  EXPECT_EQ(beyond.line, "--cpu 999: this machine has no such CPU; it has 0-7");
  const ThrownError negative = error_of([&] { require_usable_cpu(server, -1); });
  EXPECT_EQ(negative.status, ExitStatus::kUsage);
  const ThrownError offline = error_of([&] { require_usable_cpu(server, 6); });
  EXPECT_EQ(offline.status, ExitStatus::kEnvironment);
  EXPECT_EQ(offline.line, "--cpu 6: this CPU is offline; online: 0-5,7");
  const CpuSets container = read_cpu_sets(fake_machine("container-seccomp"));
  const ThrownError outside = error_of([&] { require_usable_cpu(container, 0); });
  EXPECT_EQ(outside.status, ExitStatus::kEnvironment);
  EXPECT_EQ(outside.line, "--cpu 0: this process may not run there (its cpuset); allowed: 9-11");
}

TEST(PinThisThread, StaysOnTheCpuAndReadsTheMaskBack) {
  const CpuSets sets = read_cpu_sets(Root());
  const int cpu = choose_cpu(Root(), sets);
  std::thread([&] {
    pin_this_thread(sets, cpu);
    EXPECT_EQ(::sched_getcpu(), cpu);
    // Twice: the first reading widens the mask and must have put it back.
    EXPECT_THAT(read_cpu_sets(Root()).allowed, ElementsAre(cpu));
    EXPECT_THAT(read_cpu_sets(Root()).allowed, ElementsAre(cpu));
  }).join();
}

TEST(PinThisThread, CpuThatTheKernelRefusesIsTheEnvironmentsFault) {
  CpuSets sets = read_cpu_sets(Root());
  // A CPU that the lists wrongly call usable, as after it went offline in between.
  sets.present.push_back(16000);
  sets.online.push_back(16000);
  sets.settable.push_back(16000);
  const ThrownError error = error_of([&] { pin_this_thread(sets, 16000); });
  EXPECT_EQ(error.status, ExitStatus::kEnvironment);
  EXPECT_THAT(error.line, HasSubstr("--cpu 16000: sched_setaffinity: EINVAL; allowed: "));
}

}  // namespace
}  // namespace msgring::host
