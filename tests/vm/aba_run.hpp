// SPDX-License-Identifier: MIT
// `msgring aba` as a program, in a folder of its own.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "msgring/host/process.hpp"
#include "msgring/host/temporary_folder.hpp"

namespace msgring::boot {

/// Skips where the kernels 6.12 and 7 are not in the cache. Counts instructions unless told
/// otherwise.
class Aba : public ::testing::Test {
 protected:
  void SetUp() override;

  /// Runs `msgring aba` to its end.
  host::ProgramResult run(std::vector<std::string> more) const;
  host::ChildProcess start(std::vector<std::string> more) const;
  void wait_for_points(std::size_t count, host::ChildProcess& child) const;
  /// Starts a run, sends it `signal` as soon as `count` points are there, and waits for its end.
  std::optional<host::ProcessEnd> start_until(std::size_t count, std::vector<std::string> more,
                                              int signal) const;
  /// What a started run has said on standard error.
  std::string errors() const;
  /// Runs `msgring check` on the folder.
  host::ProgramResult check() const;

  std::size_t points() const;
  void expect_no_emulator() const;

  host::TemporaryFolder base_{"msgring-aba"};
  host::TemporaryFolder words_{"msgring-aba-words"};
  std::filesystem::path errors_ = words_.path() / "errors";
  std::filesystem::path run_ = base_.path() / "run";

  std::vector<std::string> command(std::vector<std::string> more) const;

 private:
  std::size_t emulators() const;
};

}  // namespace msgring::boot
