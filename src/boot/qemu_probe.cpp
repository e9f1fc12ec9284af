// SPDX-License-Identifier: MIT
// What is there: QEMU's version, and whether KVM runs a guest.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <system_error>

#include "console_text.hpp"
#include "msgring/boot/qemu.hpp"
#include "msgring/host/process.hpp"
#include "msgring/host/temporary_folder.hpp"
#include "msgring/host/whole_file.hpp"

namespace msgring::boot {
namespace {

using std::chrono::milliseconds;

constexpr std::string_view kInstallHint = "install it (Debian, Ubuntu: qemu-system-x86)";
/// -seed, -icount sleep=off and plugins of the kind used here.
constexpr unsigned kOldestMajor = 6;
/// A guest under KVM says its first words within a fraction of this.
constexpr std::chrono::seconds kKvmPatience{3};

struct TrialFiles {
  std::string console;
  std::string errors;
};

/// What the trial has shown so far; empty while it is undecided.
std::string trial_evidence(const TrialFiles& files) {
  const std::size_t broken = files.errors.find("KVM internal error");
  if (broken != std::string::npos) {
    return files.errors.substr(broken, files.errors.find('\n', broken) - broken);
  }
  return files.console.find("Linux version") != std::string::npos ? "booted" : "";
}

KvmTrial watch_trial(host::ChildProcess& qemu, const host::ProcessFiles& files,
                     const std::filesystem::path& console, const std::stop_token& stop) {
  const auto end_time = std::chrono::steady_clock::now() + kKvmPatience;
  for (;;) {
    const bool ended = qemu.wait(milliseconds(50)).has_value();
    const TrialFiles seen{host::read_file_from(console, 0), host::read_file_from(files.errors, 0)};
    const std::string evidence = trial_evidence(seen);
    if (evidence == "booted") {
      return {true, "KVM boots this kernel"};
    }
    if (!evidence.empty()) {
      return {false, evidence};
    }
    if (ended) {
      const std::string line = last_line(seen.errors);
      return {false, line.empty() ? "QEMU ended without a word from the guest" : line};
    }
    if (stop.stop_requested()) {
      throw Error(ExitStatus::kInterrupted, "interrupted");
    }
    if (std::chrono::steady_clock::now() > end_time) {
      return {false, fmt::format("no word from the guest within {} s", kKvmPatience.count())};
    }
  }
}

}  // namespace

QemuProgram probe_qemu(const std::string& program) {
  host::ProgramResult result;
  try {
    result = host::run_program({program, "--version"}, milliseconds(20'000));
  } catch (const std::system_error& error) {
    throw Error(ExitStatus::kEnvironment, fmt::format("QEMU: {}", error.what()),
                std::string(kInstallHint));
  }
  QemuProgram qemu{program, 0, 0, result.output.substr(0, result.output.find('\n'))};
  const std::size_t at = qemu.version.find("version ");
  if (at == std::string::npos ||
      std::sscanf(qemu.version.c_str() + at, "version %u.%u", &qemu.major, &qemu.minor) != 2) {
    throw Error(ExitStatus::kEnvironment,
                fmt::format("QEMU: {} --version said '{}'", program, qemu.version),
                std::string(kInstallHint));
  }
  if (qemu.major < kOldestMajor) {
    throw Error(ExitStatus::kEnvironment,
                fmt::format("QEMU: {} is version {}.{}, at least {} is needed", program, qemu.major,
                            qemu.minor, kOldestMajor),
                std::string(kInstallHint));
  }
  return qemu;
}

KvmTrial try_kvm(const QemuProgram& qemu, const std::filesystem::path& kernel,
                 const std::stop_token& stop) {
  if (::access("/dev/kvm", R_OK | W_OK) != 0) {
    return {false, fmt::format("/dev/kvm: {}", errno_name(errno))};
  }
  const host::TemporaryFolder folder("msgring-kvm");
  QemuLine line;
  line.accelerator = Accelerator::kKvm;
  line.kernel = kernel;
  line.console = folder.path() / "console";
  line.results = folder.path() / "results";
  line.serial_results = folder.path() / "serial";
  line.append = "earlyprintk=serial";
  const host::ProcessFiles files{folder.path() / "output", folder.path() / "errors"};
  host::ChildProcess child = host::ChildProcess::start(qemu_command_line(qemu, line), files);
  return watch_trial(child, files, line.console, stop);
}

}  // namespace msgring::boot
