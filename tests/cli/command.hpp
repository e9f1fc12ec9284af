// SPDX-License-Identifier: MIT
// Runs a built program and keeps what it said.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace msgring::testing_cli {

/// How a program ended: its exit status, or 128 + the signal that ended it.
struct Outcome {
  int status = 0;
  std::string out;
  std::string err;
  long peak_kib = 0;  ///< the largest resident set
};

/// Something to be done to the running program after a delay.
struct Interference {
  std::chrono::milliseconds after{0};
  std::function<void(pid_t)> act;
};

/// Sends `signal`.
Interference signal_after(std::chrono::milliseconds after, int signal);

/// Runs `program` of the build folder, or of an absolute path, with `arguments` in `folder`, and
/// waits for it.
Outcome run(const std::string& program, const std::vector<std::string>& arguments,
            const std::filesystem::path& folder, const Interference& interference = {});

/// An empty folder that vanishes with its contents.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }
  /// Names of everything in it, sorted.
  std::vector<std::string> names() const;

 private:
  std::filesystem::path path_;
};

/// The whole text of a file; empty if there is none.
std::string text_of(const std::filesystem::path& file);

/// How many lines a text has.
std::size_t lines_of(const std::string& text);

}  // namespace msgring::testing_cli
