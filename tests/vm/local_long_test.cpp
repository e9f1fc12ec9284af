// SPDX-License-Identifier: MIT
// `msgring aba --driver local` in a guest with a disk and systemd: the machine reboots itself
// through a whole sandwich while things happen to it.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

#include "box_guest.hpp"
#include "msgring/boot/initramfs.hpp"
#include "msgring/host/whole_file.hpp"

namespace msgring::boot {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using std::chrono::seconds;
using ::testing::AnyOf;
using ::testing::HasSubstr;

/// As a build of a source tree lies: tune-host is found from the program.
constexpr const char* kTree = "/root/msgring";
constexpr const char* kProgram = "/root/msgring/build/dev/msgring";
constexpr const char* kTune = "/root/msgring/scripts/tune-host";

/// Of the libraries in $1, those that the guest lacks.
constexpr const char* kAddLibraries = R"sh(
for library in "$1"/*; do
  if ! ldconfig -p | grep -qF "	${library##*/} "; then cp "$library" /usr/local/lib/; fi
done
ldconfig
)sh";

class LocalBoxTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string missing = BoxGuest::missing(); !missing.empty()) {
      GTEST_SKIP() << missing;
    }
    guest_ = std::make_unique<BoxGuest>(Init::kSystemd);
    guest_->power_on();
    guest_->wait_until_up();
    install();
  }

  void install() const;
  /// Runs a command in the guest; again, if a starved guest has not even begun to listen.
  host::ProgramResult in_guest(const std::vector<std::string>& command) const;
  /// The same; its output.
  std::string told(const std::vector<std::string>& command, int exit_code = 0) const;
  host::ProgramResult msgring(std::vector<std::string> arguments) const;
  /// `msgring aba --driver local` there.
  host::ProgramResult aba(std::vector<std::string> more) const;
  /// What `msgring status` says; nothing while the guest does not answer.
  json status() const;
  /// Looks until it is as wanted.
  json wait_for(std::string_view what, const std::function<bool(const json&)>& wanted) const;
  json wait_until_it_measures(const std::string& boot) const;
  json wait_for_the_end() const;

  std::unique_ptr<BoxGuest> guest_;
  host::TemporaryFolder folder_{"msgring-local-box"};
};

void LocalBoxTest::install() const {
  const fs::path libraries = folder_.path() / "lib";
  fs::create_directories(libraries);
  const fs::path build = MSGRING_BUILD_DIR;
  for (const char* const program : {"msgring", "msgring_bench"}) {
    for (const fs::path& library : resolve_program(build / program).libraries) {
      fs::copy_file(library, libraries / library.filename(), fs::copy_options::skip_existing);
    }
  }
  told({"mkdir", "-p", std::string(kTree) + "/build/dev", std::string(kTree) + "/scripts"});
  const auto put = [this](const std::vector<fs::path>& files, const std::string& folder) {
    const host::ProgramResult copy = guest_->put(files, folder);
    ASSERT_TRUE(copy.end.ok()) << copy.errors;
  };
  put({libraries}, "/root/");
  put({build / "msgring", build / "msgring_bench"}, std::string(kTree) + "/build/dev/");
  put({fs::path(MSGRING_SOURCE_DIR) / "scripts" / "tune-host"}, std::string(kTree) + "/scripts/");
  told({"sh", "-ec", kAddLibraries, "sh", "/root/lib"});
  EXPECT_THAT(told({kProgram, "--version"}), HasSubstr("msgring"));
}

host::ProgramResult LocalBoxTest::in_guest(const std::vector<std::string>& command) const {
  host::ProgramResult result = guest_->ssh(command, seconds(300));
  for (int tries = 1; tries < 5 && result.end.exit_code == 255 &&
                      result.errors.find("during banner exchange") != std::string::npos;
       ++tries) {
    result = guest_->ssh(command, seconds(300));
  }
  return result;
}

std::string LocalBoxTest::told(const std::vector<std::string>& command, int exit_code) const {
  const host::ProgramResult result = in_guest(command);
  EXPECT_EQ(result.end.exit_code, exit_code)
      << host::shell_quoted(command) << ": " << result.output << result.errors;
  return result.output + result.errors;
}

host::ProgramResult LocalBoxTest::msgring(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), kProgram);
  return in_guest(arguments);
}

host::ProgramResult LocalBoxTest::aba(std::vector<std::string> more) const {
  std::vector<std::string> words = {"aba", "--driver",           "local", "--boot-deadline",
                                    "900", "--measure-deadline", "1800"};
  words.insert(words.end(), more.begin(), more.end());
  // Long enough to be found at it.
  words.insert(words.end(), {"--", "--slots", "64", "--rounds", "3", "--settle", "30"});
  return msgring(words);
}

json LocalBoxTest::status() const {
  const host::ProgramResult result = msgring({"status", "--format", "json"});
  return result.end.ok() ? json::parse(result.output) : json();
}

json LocalBoxTest::wait_for(std::string_view what,
                            const std::function<bool(const json&)>& wanted) const {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(30);
  json now;
  while (std::chrono::steady_clock::now() < deadline) {
    now = status();
    if (now.is_object() && wanted(now)) {
      return now;
    }
    std::this_thread::sleep_for(seconds(5));
  }
  ADD_FAILURE() << "not within half an hour: " << what << "\n" << now.dump(2) << guest_->console();
  return now;
}

json LocalBoxTest::wait_until_it_measures(const std::string& boot) const {
  return wait_for(boot + " measures", [&boot](const json& now) {
    const json& run = now.at("run");
    return run.is_null() || (run.at("armed").is_object() && run.at("armed").at("boot") == boot &&
                             !run.at("armed").at("measuring_in").get<std::string>().empty());
  });
}

json LocalBoxTest::wait_for_the_end() const {
  return wait_for("the run has ended", [](const json& now) { return now.at("run").is_null(); });
}

std::size_t times(const std::string& text, std::string_view words) {
  std::size_t count = 0;
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) {
    ++count;
  }
  return count;
}

TEST_F(LocalBoxTest, ASandwichGoesOnByItselfThroughAKillAndTwoPowerCuts) {
  const host::ProgramResult begun =
      aba({"--a", "6.12", "--b", "7", "--boot", "kexec", "--out", "/root/run"});
  ASSERT_EQ(begun.end.exit_code, 0) << begun.output << begun.errors;
  EXPECT_THAT(begun.output, HasSubstr(fmt::format("this machine now boots {} for 01-A, and "
                                                  "msgring-resume.service goes on",
                                                  guest_->releases()[0])));

  wait_until_it_measures("01-A");
  // The benchmark is no part of the unit, so that neither ends with the other.
  EXPECT_THAT(told({"sh", "-c", "cat /proc/$(pgrep -n msgring_bench)/cgroup"}),
              HasSubstr("/system.slice/msgring-bench-"));
  EXPECT_EQ(aba({"--a", "6.12", "--b", "7", "--out", "/root/other"}).end.exit_code, 2);
  told({"systemctl", "kill", "--signal=KILL", "--kill-whom=main", "msgring-resume.service"});

  wait_until_it_measures("02-B");
  guest_->power_off();
  guest_->power_on();

  // Between the kexec and the user space of the kernel that it started.
  const auto booted_by_kexec = [this] {
    return times(guest_->console(),
                 "Command line: root=/dev/vda rw console=ttyS0 mitigations=off "
                 "no_timer_check msgring.boot=kexec");
  };
  wait_until_it_measures("02-B");
  const std::size_t before = booted_by_kexec();
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(30);
  while (booted_by_kexec() == before) {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline) << guest_->console();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  guest_->power_off();
  guest_->power_on();

  const json end = wait_for_the_end();
  EXPECT_EQ(end["last"]["folder"], "/root/run");
  // Time in an emulator is no evidence: the verdict is whatever it is, but there is one.
  EXPECT_THAT(
      end["last"]["how"].get<std::string>(),
      AnyOf("finished, exit status 0", "finished, exit status 3", "finished, exit status 4"));
  EXPECT_EQ(end["unit"]["installed"], false);
  told({"test", "!", "-e", "/var/lib/msgring/run.json"});
  EXPECT_THAT(told({"systemctl", "list-units", "--all", "--no-legend", "msgring*"}),
              ::testing::Not(HasSubstr("auto-restart")));

  ASSERT_TRUE(guest_->fetch("/root/run", folder_.path()).end.ok());
  const fs::path run = folder_.path() / "run";
  expect_kexec_sandwich(*guest_, run, "local");
  std::string lost;
  for (const auto& entry : fs::directory_iterator(run / "lost")) {
    lost += entry.path().filename().native() + ": " + host::read_file(entry.path());
  }
  EXPECT_THAT(lost, HasSubstr("driver-failed: msgring was ended while it measured in this boot"));
  EXPECT_THAT(lost, HasSubstr("restarted: this machine left the boot in which it measured"));
  EXPECT_THAT(lost, HasSubstr("no-boot: the firmware has booted the box, not this kexec"));
  for (const char* const report : {"report.txt", "report.json", "report.html", "SHA256SUMS"}) {
    EXPECT_TRUE(fs::exists(run / report)) << report;
  }
}

TEST_F(LocalBoxTest, WhatOnlyAPersonCanCureEndsTheRunAndLeavesNothingInstalled) {
  const auto refused = [this](std::vector<std::string> more) {
    const host::ProgramResult result = aba(std::move(more));
    EXPECT_EQ(result.end.exit_code, 2) << result.errors;
    return result.errors;
  };
  // /tmp is in memory there.
  EXPECT_THAT(refused({"--a", "6.12", "--b", "7", "--out", "/tmp/run"}),
              HasSubstr("the run's folder /tmp/run: lies in memory"));
  EXPECT_THAT(msgring({"resume"}).errors, HasSubstr("no run is under way"));
  const host::ProgramResult shown =
      aba({"--a", "6.12", "--b", "7", "--out", "/root/run", "--dry-run"});
  EXPECT_EQ(shown.end.exit_code, 0) << shown.errors;
  EXPECT_THAT(shown.output,
              HasSubstr("# 02-B: /boot/vmlinuz-" + guest_->releases()[1] + "\nkexec"));
  told({"test", "!", "-e", "/root/run"});

  // A boot command that does nothing: armed, and still here.
  const std::vector<std::string> idle = {
      "--a",       "6.12",      "--b", "7",     "--boot",    "command", "--boot-command",
      "/bin/true", "--retries", "0",   "--out", "/root/idle"};
  EXPECT_EQ(aba(idle).end.exit_code, 0);
  const json armed = status();
  EXPECT_EQ(armed["run"]["armed"]["boot"], "01-A");
  EXPECT_EQ(armed["unit"]["installed"], true);
  EXPECT_THAT(told({"systemd-analyze", "verify", "/etc/systemd/system/msgring-resume.service"}),
              ::testing::Not(HasSubstr("msgring-resume.service:")));
  EXPECT_THAT(refused({"--a", "6.12", "--b", "7", "--out", "/root/other"}),
              HasSubstr("/root/idle: this run is under way on this machine already, boot 01-A is "
                        "armed"));
  EXPECT_THAT(told({kProgram, "abort"}),
              HasSubstr("msgring aba --resume --out /root/idle goes on with it"));
  EXPECT_TRUE(status()["run"].is_null());
  EXPECT_EQ(status()["unit"]["installed"], false);
  // It goes on with the folder, arms again, and a resume finds the old boot.
  EXPECT_EQ(msgring({"aba", "--resume", "--out", "/root/idle"}).end.exit_code, 0);
  const host::ProgramResult resumed = msgring({"resume"});
  EXPECT_THAT(resumed.errors, HasSubstr("01-A: no-boot: this machine is still in its old boot"));
  EXPECT_THAT(resumed.errors, HasSubstr("given up"));
  const json lost = status()["run"];
  EXPECT_EQ(lost["lost"]["01-A"], 1);
  EXPECT_EQ(lost["armed"]["boot"], "02-B");
  EXPECT_THAT(told({kProgram, "status"}), HasSubstr("01-A lost 1 of 1"));
  told({kProgram, "abort"});

  // The firmware boots the older kernel, whatever was asked for.
  told({"sh", "-c",
        "printf '#!/bin/sh\\nexec systemctl reboot\\n' >/root/power; chmod +x /root/power"});
  EXPECT_EQ(aba({"--a", "7", "--b", "6.12", "--boot", "command", "--boot-command", "/root/power",
                 "--out", "/root/wrong"})
                .end.exit_code,
            0);
  const json end = wait_for_the_end();
  const auto& releases = guest_->releases();
  EXPECT_EQ(end["last"]["folder"], "/root/wrong");
  EXPECT_THAT(end["last"]["how"].get<std::string>(),
              HasSubstr("asked for " + releases[1] + ", " + releases[0] +
                        " came up; the box holds kexec_loaded=0"));
  EXPECT_EQ(end["unit"]["installed"], false);
  EXPECT_EQ(told({"ls", "/root/wrong/points"}), "");
  std::this_thread::sleep_for(seconds(15));  // longer than the unit waits before another try
  EXPECT_THAT(told({"sh", "-c", "journalctl -b -u msgring-resume.service"}),
              ::testing::Not(HasSubstr("Scheduled restart")));
}

/// Every file that tune-host may write, with its value.
constexpr const char* kControls = R"sh(
for file in /proc/irq/*/smp_affinity_list /proc/irq/default_smp_affinity /proc/sys/kernel/watchdog \
  /proc/sys/kernel/nmi_watchdog /proc/sys/kernel/soft_watchdog /proc/sys/kernel/randomize_va_space \
  /sys/devices/system/cpu/cpu*/online /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor \
  /sys/devices/system/cpu/cpu*/cpufreq/energy_performance_preference \
  /sys/devices/system/cpu/cpufreq/boost /sys/devices/system/cpu/intel_pstate/no_turbo \
  /sys/kernel/debug/sched/preempt; do
  if [ -r "$file" ]; then echo "$file $(cat "$file")"; fi
done
)sh";

TEST_F(LocalBoxTest, DoctorSaysWhatTheFilesSayAndTuneHostLeavesNothingChanged) {
  const json found = json::parse(told({kProgram, "doctor", "--cpu", "1", "--format", "json"}));
  const auto what = [&found](const std::string& key) {
    for (const json& finding : found["findings"]) {
      if (finding["key"] == key) {
        return finding["what"].get<std::string>();
      }
    }
    return std::string("no finding");
  };
  const auto line_of = [this](const std::string& file) {
    const std::string text = told({"cat", file});
    return text.substr(0, text.find('\n'));
  };
  EXPECT_EQ(found["cpu"], 1);
  EXPECT_THAT(what("aslr"),
              HasSubstr("randomize_va_space " + line_of("/proc/sys/kernel/randomize_va_space")));
  EXPECT_THAT(what("emulation"), HasSubstr("QEMU TCG without instruction counting"));
  told({"test", "!", "-e", "/sys/devices/system/cpu/cpu1/cpufreq"});
  EXPECT_THAT(what("governor"), HasSubstr("absent"));
  told({"test", "!", "-e", "/sys/devices/system/cpu/cpufreq/boost"});
  EXPECT_THAT(what("boost"), HasSubstr("absent"));
  EXPECT_EQ(line_of("/sys/devices/system/cpu/isolated"), "");
  EXPECT_THAT(what("isolation"), HasSubstr("CPU 1 is not isolated"));
  const std::string source =
      line_of("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  EXPECT_EQ(what("clocksource"), source == "tsc" ? "no finding" : source);
  EXPECT_EQ(what("nmi_watchdog"),
            line_of("/proc/sys/kernel/nmi_watchdog") == "1" ? "on" : "no finding");

  const std::string before = told({"sh", "-c", kControls});
  EXPECT_THAT(before, HasSubstr("/proc/sys/kernel/randomize_va_space 2"));
  const std::string applied = told({kTune, "apply", "--cpu", "1"});
  EXPECT_THAT(applied, HasSubstr("/proc/sys/kernel/randomize_va_space: 2 -> 0"));
  const std::string tuned = told({"sh", "-c", kControls});
  EXPECT_NE(tuned, before);
  EXPECT_THAT(tuned, HasSubstr("/proc/sys/kernel/randomize_va_space 0"));
  EXPECT_THAT(told({kTune, "restore"}), HasSubstr("restored"));
  EXPECT_EQ(told({"sh", "-c", kControls}), before);

  // Killed at many places between its first line on disk and its end.
  unsigned unfinished = 0;
  for (int tenths = 2; tenths < 42; tenths += 4) {
    const std::string killed = told(
        {"sh", "-c",
         R"(setsid "$1" apply --cpu 1 >/tmp/said 2>&1 & sleep "$2"; kill -KILL -$!; wait; cat /tmp/said)",
         "sh", kTune, fmt::format("{}.{}", tenths / 10, tenths % 10)});
    unfinished += killed.find("applied for") == std::string::npos ? 1U : 0U;
    told({kTune, "restore"});
    EXPECT_EQ(told({"sh", "-c", kControls}), before) << "killed after " << tenths << " tenths";
  }
  EXPECT_GT(unfinished, 0U);
  told({"test", "!", "-e", "/var/lib/msgring/tune-host.state"});
}

}  // namespace
}  // namespace msgring::boot
