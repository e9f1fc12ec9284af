// SPDX-License-Identifier: MIT
// The two ways in which msgring fails: its own Error, and a system call's std::system_error.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>

namespace msgring {

/// What a process says to its caller when it ends. 1 is free for `--fail-on`.
enum class ExitStatus {
  kOk = 0,             ///< unchanged, faster, or measured
  kFailOn = 1,         ///< the condition that `--fail-on` named has happened
  kUsage = 2,          ///< the command line or an input's name is wrong
  kInvalid = 3,        ///< a check or an identity gate failed: the numbers must not be used
  kInconclusive = 4,   ///< a stability gate failed, or the interval is too wide
  kEnvironment = 5,    ///< this machine cannot do it (io_uring disabled, limits, no QEMU, ...)
  kInterrupted = 130,  ///< SIGINT or SIGTERM ended the work early
};

/// An error that msgring itself found.
///
/// `what()` is one line: what failed, on what, why. `hint()` says what to do, and may be empty.
class Error : public std::runtime_error {
 public:
  Error(ExitStatus status, const std::string& message, std::string hint = {})
      : std::runtime_error(message), status_(status), hint_(std::move(hint)) {}

  ExitStatus status() const noexcept { return status_; }
  const std::string& hint() const noexcept { return hint_; }

 private:
  ExitStatus status_;
  std::string hint_;
};

/// The symbolic name of an errno value, `EPERM` for 1; `errno 4095` for one without a name.
std::string errno_name(int error);

/// Throws std::system_error whose text is `call: object: ENAME (text)`.
/// `error` is a positive errno value; `object` may be empty.
[[noreturn]] void throw_system_error(int error, std::string_view call,
                                     std::string_view object = {});

/// The one line that a person sees for any exception: message, then `; ` and the hint if there is
/// one.
std::string describe(const std::exception& error);

/// The exit status for any exception: an Error's own, kEnvironment for a failed system call,
/// kInvalid for everything that should not happen.
ExitStatus exit_status_of(const std::exception& error) noexcept;

}  // namespace msgring
