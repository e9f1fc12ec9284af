// SPDX-License-Identifier: MIT
// Starts gnuplot with an argument vector; script and drawing go through memory files.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <string_view>

#include "msgring/error.hpp"
#include "msgring/host/fd.hpp"
#include "msgring/report/plot.hpp"

namespace msgring::report {
namespace {

host::FileDescriptor memory_file(const char* name) {
  host::FileDescriptor file(::memfd_create(name, MFD_CLOEXEC));
  if (!file.valid()) {
    throw_system_error(errno, "memfd_create", name);
  }
  return file;
}

void write_all(const host::FileDescriptor& file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file.get(), text.data(), text.size());
    if (written < 0) {
      throw_system_error(errno, "write", "gnuplot script");
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::lseek(file.get(), 0, SEEK_SET) < 0) {
    throw_system_error(errno, "lseek", "gnuplot script");
  }
}

std::string read_from_start(const host::FileDescriptor& file) {
  std::string text;
  std::array<char, 65536> buffer{};
  ssize_t got = 0;
  while ((got = ::pread(file.get(), buffer.data(), buffer.size(),
                        static_cast<off_t>(text.size()))) > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  if (got < 0) {
    throw_system_error(errno, "pread", "gnuplot's output");
  }
  return text;
}

// Owns the child's view of descriptors 0, 1 and 2.
class FileActions {
 public:
  FileActions(int in, int out, int err) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_adddup2(&actions_, in, 0);
    ::posix_spawn_file_actions_adddup2(&actions_, out, 1);
    ::posix_spawn_file_actions_adddup2(&actions_, err, 2);
  }
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) {
      throw_system_error(errno, "waitpid", "gnuplot");
    }
  }
  return status;
}

}  // namespace

std::optional<std::filesystem::path> find_gnuplot() {
  const char* variable = std::getenv("PATH");
  std::string_view folders = variable != nullptr ? variable : "/usr/bin:/bin";
  while (!folders.empty()) {
    const std::string_view folder = folders.substr(0, folders.find(':'));
    const auto candidate = std::filesystem::path(folder) / "gnuplot";
    if (!folder.empty() && ::access(candidate.c_str(), X_OK) == 0) {
      return candidate;
    }
    folders.remove_prefix(std::min(folder.size() + 1, folders.size()));
  }
  return std::nullopt;
}

std::string run_gnuplot(const std::filesystem::path& gnuplot, const std::string& script) {
  const host::FileDescriptor in = memory_file("script");
  const host::FileDescriptor out = memory_file("drawing");
  const host::FileDescriptor err = memory_file("messages");
  write_all(in, script);
  const FileActions actions(in.get(), out.get(), err.get());
  std::string program = gnuplot.native();
  std::string defaults = "-d";
  std::array<char*, 3> arguments = {program.data(), defaults.data(), nullptr};
  pid_t child = 0;
  const int error =
      ::posix_spawn(&child, program.c_str(), actions.get(), nullptr, arguments.data(), environ);
  if (error != 0) {
    throw_system_error(error, "posix_spawn", program);
  }
  const int status = wait_for(child);
  const std::string messages = read_from_start(err);
  std::string drawing = read_from_start(out);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || drawing.empty()) {
    const std::size_t text = messages.find_first_not_of("\n ");
    const std::string first = text == std::string::npos
                                  ? "no message"
                                  : messages.substr(text, messages.find('\n', text) - text);
    throw Error(ExitStatus::kEnvironment, fmt::format("{} failed: {}", program, first),
                "check that it has the terminals svg, pngcairo and dumb (package gnuplot-nox)");
  }
  return drawing;
}

}  // namespace msgring::report
