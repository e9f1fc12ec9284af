// SPDX-License-Identifier: MIT
#include "aba_run.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "msgring/host/whole_file.hpp"
#include "vm_support.hpp"

namespace msgring::boot {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::minutes;

void Aba::SetUp() {
  for (const char* version : {"6.12", "7"}) {
    if (const std::string missing = missing_for(version); !missing.empty()) {
      GTEST_SKIP() << missing;
    }
  }
}

std::vector<std::string> Aba::command(std::vector<std::string> more) const {
  std::vector<std::string> words = {MSGRING_BUILD_DIR "/msgring", "aba", "--out", run_.native()};
  if (std::find(more.begin(), more.end(), "--unit") == more.end()) {
    words.insert(words.end(), {"--unit", "instructions"});
  }
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

host::ProgramResult Aba::run(std::vector<std::string> more) const {
  return host::run_program(command(std::move(more)), minutes(20));
}

host::ChildProcess Aba::start(std::vector<std::string> more) const {
  return host::ChildProcess::start(command(std::move(more)), {{}, errors_, {}});
}

void Aba::wait_for_points(std::size_t count, host::ChildProcess& child) const {
  while (points() < count && !child.wait(milliseconds(50))) {
  }
  ASSERT_GE(points(), count) << "the run ended too early: " << errors();
}

std::optional<host::ProcessEnd> Aba::start_until(std::size_t count, std::vector<std::string> more,
                                                 int signal) const {
  host::ChildProcess child = start(std::move(more));
  wait_for_points(count, child);
  ::kill(child.pid(), signal);
  return child.wait(milliseconds(10'000));
}

std::string Aba::errors() const { return host::read_file_from(errors_, 0); }

host::ProgramResult Aba::check() const {
  return host::run_program({MSGRING_BUILD_DIR "/msgring", "check", run_.native()}, minutes(1));
}

std::size_t Aba::points() const {
  std::error_code absent;
  const fs::directory_iterator list(run_ / "points", absent);
  return static_cast<std::size_t>(
      std::count_if(list, fs::directory_iterator(),
                    [](const auto& entry) { return entry.path().extension() == ".json"; }));
}

// Emulators whose command line names this test's folder.
std::size_t Aba::emulators() const {
  std::size_t found = 0;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string line = host::read_file_from(entry.path() / "cmdline", 0);
    found += line.rfind("qemu", 0) == 0 && line.find(run_.native()) != std::string::npos ? 1U : 0U;
  }
  return found;
}

void Aba::expect_no_emulator() const {
  for (int i = 0; i < 100 && emulators() > 0; ++i) {
    std::this_thread::sleep_for(milliseconds(20));
  }
  EXPECT_EQ(emulators(), 0U);
}

}  // namespace msgring::boot
