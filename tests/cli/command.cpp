// SPDX-License-Identifier: MIT
#include "command.hpp"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace msgring::testing_cli {
namespace {

/// In the child: output into files, into the folder, become the program.
[[noreturn]] void become(std::vector<char*>& words, const std::filesystem::path& folder,
                         const std::filesystem::path& out, const std::filesystem::path& err) {
  const int flags = O_WRONLY | O_CREAT | O_TRUNC;
  ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
  ::dup2(::open(out.c_str(), flags, 0600), STDOUT_FILENO);
  ::dup2(::open(err.c_str(), flags, 0600), STDERR_FILENO);
  if (::chdir(folder.c_str()) == 0) {
    ::execv(words.front(), words.data());
  }
  ::_exit(127);
}

}  // namespace

Outcome run(const std::string& program, const std::vector<std::string>& arguments,
            const std::filesystem::path& folder, const Interference& interference) {
  const TemporaryFolder outputs;
  std::vector<std::string> words{(std::filesystem::path(MSGRING_BUILD_DIR) / program).string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  std::transform(words.begin(), words.end(), std::back_inserter(pointers),
                 [](std::string& word) { return word.data(); });
  pointers.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) {
    throw std::system_error(errno, std::generic_category(), "fork");
  }
  if (child == 0) {
    become(pointers, folder, outputs.path() / "out", outputs.path() / "err");
  }
  if (interference.act) {
    std::this_thread::sleep_for(interference.after);
    interference.act(child);
  }
  int status = 0;
  rusage usage{};
  while (::wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          text_of(outputs.path() / "out"), text_of(outputs.path() / "err"), usage.ru_maxrss};
}

Interference signal_after(std::chrono::milliseconds after, int signal) {
  return {after, [signal](pid_t child) { ::kill(child, signal); }};
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "msgring-test-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw std::system_error(errno, std::generic_category(), "mkdtemp");
  }
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::vector<std::string> TemporaryFolder::names() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace msgring::testing_cli
