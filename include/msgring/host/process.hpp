// SPDX-License-Identifier: MIT
// ChildProcess: a program started with an argument vector, never a shell, and never left behind.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "msgring/host/fd.hpp"

namespace msgring::host {

/// How a process ended: by itself with `exit_code`, or by `signal` (then non-zero).
struct ProcessEnd {
  int exit_code = 0;
  int signal = 0;

  bool ok() const noexcept { return exit_code == 0 && signal == 0; }
};

/// "exit status 3" or "signal 9 (Killed)".
std::string describe(const ProcessEnd& end);

/// Where a child's output goes, and where it works. An empty output is /dev/null, as standard input
/// always is; an empty folder is the parent's.
struct ProcessFiles {
  std::filesystem::path output;
  std::filesystem::path errors;
  std::filesystem::path folder = {};
};

/// Owns one running program; the destructor kills and reaps it. Move-only.
///
/// The child gets a process group of its own, so that Ctrl-C on the terminal reaches only the
/// parent, which then decides; and the kernel kills it when the thread that started it dies, so
/// that a killed parent leaves nothing behind (prctl(2), PR_SET_PDEATHSIG).
class ChildProcess {
 public:
  /// Starts `arguments[0]` (looked up in PATH). Throws std::system_error when it cannot be started.
  static ChildProcess start(const std::vector<std::string>& arguments,
                            const ProcessFiles& files = {});
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;

  pid_t pid() const noexcept { return pid_; }

  /// Waits at most `timeout`; nothing when the program still runs. Once ended, always the same.
  std::optional<ProcessEnd> wait(std::chrono::milliseconds timeout);

  /// SIGTERM, `grace` to go, then SIGKILL. Returns how it ended.
  ProcessEnd stop(std::chrono::milliseconds grace = std::chrono::milliseconds(500));

 private:
  ChildProcess(pid_t pid, FileDescriptor pidfd) : pid_(pid), pidfd_(std::move(pidfd)) {}
  void kill_and_reap() noexcept;

  pid_t pid_ = -1;
  FileDescriptor pidfd_;
  std::optional<ProcessEnd> end_;
};

/// What a program that ran to its end said.
struct ProgramResult {
  ProcessEnd end;
  std::string output;
  std::string errors;
};

/// Runs a program to its end. Throws Error (kEnvironment) past the deadline, Error (kInterrupted)
/// when `stop` is requested, std::system_error when it cannot be started. Works in `folder`.
ProgramResult run_program(const std::vector<std::string>& arguments,
                          std::chrono::milliseconds deadline, const std::stop_token& stop = {},
                          const std::filesystem::path& folder = {});

/// The command line as a person can paste it into a shell: quoted where it must be.
std::string shell_quoted(const std::vector<std::string>& arguments);

}  // namespace msgring::host
