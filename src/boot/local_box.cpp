// SPDX-License-Identifier: MIT
#include "local_box.hpp"

#include <system_error>

#include "msgring/error.hpp"
#include "msgring/host/process.hpp"

namespace msgring::boot {
namespace {

/// What a shell says of a program that it cannot start, and of one that a signal has ended.
constexpr int kNotStarted = 127;
constexpr int kSignalled = 128;

}  // namespace

BoxAnswer LocalBox::run(const std::vector<std::string>& command, std::chrono::seconds deadline) {
  try {
    host::ProgramResult result = host::run_program(command, deadline, stop_);
    const int exit_code =
        result.end.signal == 0 ? result.end.exit_code : kSignalled + result.end.signal;
    return {Reach::kAnswered, exit_code, std::move(result.output), std::move(result.errors)};
  } catch (const std::system_error& error) {
    return {Reach::kAnswered, kNotStarted, {}, error.what()};
  } catch (const Error& error) {
    if (error.status() == ExitStatus::kInterrupted) {
      throw;
    }
    return {Reach::kUnreachable, 0, {}, error.what()};
  }
}

BoxAnswer LocalBox::copy(const std::filesystem::path& folder, const std::string& to,
                         std::chrono::seconds deadline) {
  return run({"cp", "-rp", "--", folder.native(), to}, deadline);
}

}  // namespace msgring::boot
