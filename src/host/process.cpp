// SPDX-License-Identifier: MIT
// fork, execvp and pidfd_open(2): between fork and exec only async-signal-safe calls.
#include "msgring/host/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>
#include <utility>

#include "msgring/error.hpp"
#include "msgring/host/temporary_folder.hpp"
#include "msgring/host/whole_file.hpp"

namespace msgring::host {
namespace {

using std::chrono::milliseconds;

FileDescriptor open_output(const std::filesystem::path& path) {
  const std::filesystem::path target = path.empty() ? "/dev/null" : path;
  FileDescriptor file(::open(target.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!file.valid()) {
    throw_system_error(errno, "open", target.native());
  }
  return file;
}

FileDescriptor open_pidfd(pid_t pid) {
  // glibc 2.36 declares pidfd_open without C linkage.
  return FileDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

/// What the child needs after fork, prepared before it: nothing may be allocated there.
struct ChildSetup {
  std::vector<char*> arguments;
  const char* folder = nullptr;
  int input = -1;
  int output = -1;
  int errors = -1;
  int report = -1;
  pid_t parent = -1;
};

[[noreturn]] void exec_child(const ChildSetup& setup) noexcept {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != setup.parent) {
    ::_exit(127);
  }
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  if ((setup.folder == nullptr || ::chdir(setup.folder) == 0) && ::dup2(setup.input, 0) >= 0 &&
      ::dup2(setup.output, 1) >= 0 && ::dup2(setup.errors, 2) >= 0) {
    ::execvp(setup.arguments[0], setup.arguments.data());
  }
  const int error = errno;
  const ssize_t written = ::write(setup.report, &error, sizeof error);
  ::_exit(written == sizeof error ? 127 : 126);
}

/// The errno value with which exec failed, 0 when it did not: a close-on-exec pipe then just ends.
int read_exec_error(int report) {
  int error = 0;
  ssize_t count = 0;
  do {
    count = ::read(report, &error, sizeof error);
  } while (count < 0 && errno == EINTR);
  return count == sizeof error ? error : 0;
}

ProcessEnd end_of(const siginfo_t& info) {
  return info.si_code == CLD_EXITED ? ProcessEnd{info.si_status, 0} : ProcessEnd{0, info.si_status};
}

bool is_plain(std::string_view word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%+,-./:=@_";
  return !word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos;
}

std::string quoted(const std::string& word) {
  if (is_plain(word)) {
    return word;
  }
  std::string text = "'";
  for (const char letter : word) {
    if (letter == '\'') {
      text += "'\\''";
    } else {
      text += letter;
    }
  }
  return text + "'";
}

}  // namespace

std::string describe(const ProcessEnd& end) {
  if (end.signal != 0) {
    return fmt::format("signal {} ({})", end.signal, ::strsignal(end.signal));
  }
  return fmt::format("exit status {}", end.exit_code);
}

ChildProcess ChildProcess::start(const std::vector<std::string>& arguments,
                                 const ProcessFiles& files) {
  const FileDescriptor input(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const FileDescriptor output = open_output(files.output);
  const FileDescriptor errors = open_output(files.errors);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw_system_error(errno, "pipe2");
  }
  const FileDescriptor report(ends[0]);
  FileDescriptor report_writer(ends[1]);
  std::vector<std::string> words = arguments;
  ChildSetup setup{{},           files.folder.empty() ? nullptr : files.folder.c_str(),
                   input.get(),  output.get(),
                   errors.get(), report_writer.get(),
                   ::getpid()};
  std::transform(words.begin(), words.end(), std::back_inserter(setup.arguments),
                 [](std::string& word) { return word.data(); });
  setup.arguments.push_back(nullptr);
  const pid_t pid = ::fork();
  if (pid < 0) {
    throw_system_error(errno, "fork", arguments.front());
  }
  if (pid == 0) {
    exec_child(setup);
  }
  ChildProcess child(pid, open_pidfd(pid));
  report_writer.reset();
  if (const int error = read_exec_error(report.get()); error != 0) {
    throw_system_error(error, "execvp", arguments.front());
  }
  return child;
}

ChildProcess::~ChildProcess() { kill_and_reap(); }

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      pidfd_(std::move(other.pidfd_)),
      end_(std::exchange(other.end_, std::nullopt)) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this != &other) {
    kill_and_reap();
    pid_ = std::exchange(other.pid_, -1);
    pidfd_ = std::move(other.pidfd_);
    end_ = std::exchange(other.end_, std::nullopt);
  }
  return *this;
}

void ChildProcess::kill_and_reap() noexcept {
  if (pid_ > 0 && !end_) {
    ::kill(pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  pid_ = -1;
}

std::optional<ProcessEnd> ChildProcess::wait(milliseconds timeout) {
  if (end_) {
    return end_;
  }
  pollfd ready{pidfd_.get(), POLLIN, 0};
  if (::poll(&ready, 1, static_cast<int>(timeout.count())) <= 0) {
    return std::nullopt;
  }
  siginfo_t info{};
  if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED) != 0) {
    throw_system_error(errno, "waitid");
  }
  end_ = end_of(info);
  return end_;
}

ProcessEnd ChildProcess::stop(milliseconds grace) {
  if (!end_) {
    ::kill(pid_, SIGTERM);
    if (!wait(grace)) {
      ::kill(pid_, SIGKILL);
      while (!wait(milliseconds(1000))) {
      }
    }
  }
  return *end_;
}

ProgramResult run_program(const std::vector<std::string>& arguments, milliseconds deadline,
                          const std::stop_token& stop, const std::filesystem::path& folder) {
  const auto look = [&] {
    if (stop.stop_requested()) {
      throw Error(ExitStatus::kInterrupted, fmt::format("{}: interrupted", arguments.front()));
    }
  };
  // Many a program is over before the first look at it.
  look();
  const TemporaryFolder scratch("msgring-run");
  const ProcessFiles files{scratch.path() / "output", scratch.path() / "errors", folder};
  ChildProcess child = ChildProcess::start(arguments, files);
  const auto end_time = std::chrono::steady_clock::now() + deadline;
  std::optional<ProcessEnd> end;
  while (!(end = child.wait(milliseconds(50)))) {
    look();
    if (std::chrono::steady_clock::now() > end_time) {
      throw Error(ExitStatus::kEnvironment,
                  fmt::format("{}: still running after {} s", arguments.front(),
                              std::chrono::duration_cast<std::chrono::seconds>(deadline).count()));
    }
  }
  return {*end, read_file(files.output), read_file(files.errors)};
}

std::string shell_quoted(const std::vector<std::string>& arguments) {
  std::string line;
  for (const std::string& argument : arguments) {
    line += line.empty() ? "" : " ";
    line += quoted(argument);
  }
  return line;
}

}  // namespace msgring::host
