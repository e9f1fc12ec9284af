// SPDX-License-Identifier: MIT
// scripts/tune-host changes what it says, and puts back exactly that, also after it was killed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "command.hpp"

namespace msgring::testing_cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kPreempt = "sys/kernel/debug/sched/preempt";

/// A hybrid laptop whose CPU 0 and 1 share a core, with a governor, a boost switch and two
/// interrupts.
class Laptop {
 public:
  Laptop() {
    fs::copy(fs::path(MSGRING_TEST_DATA) / "host" / "hybrid-laptop", folder_.path() / "root",
             fs::copy_options::recursive);
    put("proc/irq/24/smp_affinity_list", "0-7\n");
    put("proc/irq/25/smp_affinity_list", "3\n");
    put("proc/sys/kernel/nmi_watchdog", "1\n");
    put("proc/sys/kernel/soft_watchdog", "1\n");
    put("proc/sys/kernel/watchdog", "1\n");
    put("sys/devices/system/cpu/cpu0/topology/core_cpus_list", "0-1\n");
    put("sys/devices/system/cpu/cpu1/online", "1\n");
    put(kPreempt, "none voluntary full (lazy)\n");
  }

  void put(const std::string& file, const std::string& text) const {
    const fs::path path = folder_.path() / "root" / file;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }

  std::string value(const std::string& file) const {
    return text_of(folder_.path() / "root" / file);
  }

  Outcome tune(std::vector<std::string> arguments, const Interference& interference = {}) const {
    arguments.insert(arguments.begin(), std::string(MSGRING_SOURCE_DIR) + "/scripts/tune-host");
    for (const char* more : {"--root", "root", "--state", "state"}) {
      arguments.emplace_back(more);
    }
    return run("/bin/bash", arguments, folder_.path(), interference);
  }

  /// Every file below the root with its text.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> texts;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path() / "root")) {
      if (entry.is_regular_file()) {
        texts[entry.path().string()] = text_of(entry.path());
      }
    }
    return texts;
  }

  fs::path state() const { return folder_.path() / "state"; }

 private:
  TemporaryFolder folder_;
};

TEST(TuneHost, AppliesWhatItShowsAndRestoresEveryFile) {
  const Laptop laptop;
  const auto before = laptop.files();
  const Outcome shown = laptop.tune({"show", "--cpu", "0"});
  ASSERT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("cpu0/cpufreq/scaling_governor: powersave, apply sets "
                                   "performance\n"));
  EXPECT_EQ(laptop.files(), before);

  const Outcome applied = laptop.tune({"apply", "--cpu", "0", "--preempt", "full"});
  ASSERT_EQ(applied.status, 0) << applied.err;
  EXPECT_EQ(laptop.value("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"), "performance\n");
  EXPECT_EQ(laptop.value("sys/devices/system/cpu/intel_pstate/no_turbo"), "1\n");
  EXPECT_EQ(laptop.value("sys/devices/system/cpu/cpu1/online"), "0\n");
  EXPECT_EQ(laptop.value("proc/irq/24/smp_affinity_list"), "1,2,3,4,5,6,7\n");
  EXPECT_EQ(laptop.value("proc/sys/kernel/watchdog"), "0\n");
  EXPECT_EQ(laptop.value("proc/sys/kernel/randomize_va_space"), "0\n");
  EXPECT_THAT(laptop.tune({"show", "--cpu", "0"}).out, HasSubstr("values to restore in state"));

  // A real kernel's mode file would show "(full)" among the other words again.
  laptop.put(kPreempt, "none voluntary (full)\n");
  const Outcome restored = laptop.tune({"restore"});
  ASSERT_EQ(restored.status, 0) << restored.err;
  EXPECT_EQ(laptop.value(kPreempt), "lazy\n");
  laptop.put(kPreempt, "none voluntary full (lazy)\n");
  EXPECT_EQ(laptop.files(), before);
  EXPECT_FALSE(fs::exists(laptop.state()));
}

TEST(TuneHost, RestoresAfterAKillAtAnyMoment) {
  // The first line names CPU and boot; each further one is written just before a change.
  int changed = 0;
  for (std::size_t lines = 1; lines <= 9; ++lines) {
    const Laptop laptop;
    const auto before = laptop.files();
    const auto kill_at_line = [&](pid_t child) {
      for (int tries = 0; tries < 10000 && lines_of(text_of(laptop.state())) < lines; ++tries) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      ::kill(child, SIGKILL);
    };
    const Outcome killed =
        laptop.tune({"apply", "--cpu", "0"}, {std::chrono::milliseconds(0), kill_at_line});
    EXPECT_EQ(killed.status, 128 + SIGKILL) << killed.err;
    changed += laptop.files() == before ? 0 : 1;
    const Outcome restored = laptop.tune({"restore"});
    EXPECT_EQ(restored.status, 0) << "killed at line " << lines << ": " << restored.err;
    EXPECT_EQ(laptop.files(), before) << "killed at line " << lines;
    EXPECT_FALSE(fs::exists(laptop.state()));
  }
  EXPECT_GT(changed, 0);
}

TEST(TuneHost, LeavesAloneWhatCannotBeWrittenBack) {
  const Laptop laptop;
  const fs::path affinity = "proc/irq/25/smp_affinity_list";
  // A folder can be opened neither for reading nor for writing, by root as well.
  fs::remove(laptop.state().parent_path() / "root" / affinity);
  fs::create_directories(laptop.state().parent_path() / "root" / affinity);
  const Outcome applied = laptop.tune({"apply", "--cpu", "0"});
  EXPECT_EQ(applied.status, 0) << applied.err;
  EXPECT_THAT(applied.err, HasSubstr("/proc/irq/25/smp_affinity_list: cannot be read, left alone"));
  EXPECT_EQ(laptop.tune({"restore"}).status, 0);
}

TEST(TuneHost, ForgetsOldValuesAfterAReboot) {
  const Laptop laptop;
  ASSERT_EQ(laptop.tune({"apply", "--cpu", "0"}).status, 0);
  laptop.put("proc/sys/kernel/random/boot_id", "another\n");
  laptop.put("proc/sys/kernel/randomize_va_space", "1\n");
  const Outcome restored = laptop.tune({"restore"});
  EXPECT_EQ(restored.status, 0);
  EXPECT_THAT(restored.out, HasSubstr("booted again"));
  EXPECT_EQ(laptop.value("proc/sys/kernel/randomize_va_space"), "1\n");
  EXPECT_FALSE(fs::exists(laptop.state()));
}

TEST(TuneHost, NeverAppliesTwiceNorFromAForeignState) {
  const Laptop laptop;
  ASSERT_EQ(laptop.tune({"apply", "--cpu", "0"}).status, 0);
  const Outcome again = laptop.tune({"apply", "--cpu", "0"});
  EXPECT_EQ(again.status, 2);
  EXPECT_THAT(again.err, HasSubstr("restore comes first"));
  std::ofstream(laptop.state()) << "/etc/passwd root\n";
  const auto before = laptop.files();
  const Outcome foreign = laptop.tune({"restore"});
  EXPECT_EQ(foreign.status, 3);
  EXPECT_EQ(laptop.files(), before);
}

TEST(TuneHost, RefusesBadArguments) {
  const Laptop laptop;
  const auto before = laptop.files();
  for (const auto& arguments : {std::vector<std::string>{},
                                {"apply", "restore"},
                                {"apply", "--cpu", "99"},
                                {"apply", "--cpu", "x"},
                                {"apply", "--preempt", "maybe"},
                                {"tune"}}) {
    const Outcome outcome = laptop.tune(arguments);
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_NE(outcome.err, "");
  }
  EXPECT_EQ(laptop.files(), before);
}

TEST(TuneHost, LeavesEveryFileOfThisMachineAsItWas) {
  if (geteuid() != 0) {
    GTEST_SKIP() << "needs root";
  }
  const TemporaryFolder folder;
  const std::string script = std::string(MSGRING_SOURCE_DIR) + "/scripts/tune-host";
  // CPU 0: an SMT sibling that goes offline takes the other tests' CPU away for a moment only.
  const std::vector<std::string> end{"--cpu", "0", "--state", "state"};
  const auto act = [&](const std::string& action) {
    std::vector<std::string> arguments{script, action};
    arguments.insert(arguments.end(), end.begin(), end.end());
    return run("/bin/bash", arguments, folder.path());
  };
  const Outcome before = act("show");
  ASSERT_EQ(before.status, 0) << before.err;
  const Outcome applied = act("apply");
  const Outcome restored = act("restore");
  EXPECT_EQ(applied.status, 0) << applied.err;
  EXPECT_EQ(restored.status, 0) << restored.err;
  // Whatever shows as different was changed, unless the kernel refused it.
  if (before.out.find("randomize_va_space: 2, apply sets 0") != std::string::npos) {
    EXPECT_THAT(applied.out, HasSubstr("/proc/sys/kernel/randomize_va_space: 2 -> 0\n"));
  }
  EXPECT_EQ(act("show").out, before.out);
}

}  // namespace
}  // namespace msgring::testing_cli
