// SPDX-License-Identifier: MIT
// One call of io_uring_enter(2) that submits and waits with a time limit.
#pragma once

#include <liburing.h>

#include <cstdint>

#include "msgring/uring/ring.hpp"

namespace msgring::uring {

/// The fixed arguments of `io_uring_enter` for one ring: built once, so that a timed region only
/// passes numbers. Not copyable or movable, since the kernel's argument points into it.
class Enter {
 public:
  /// `timeout_s`: how long one call may wait for completions, in seconds.
  Enter(const Ring& ring, std::int64_t timeout_s) noexcept;
  Enter(const Enter&) = delete;
  Enter& operator=(const Enter&) = delete;

  /// Submits `submit` SQEs and waits for `complete` completions or the time limit.
  /// Returns SQEs consumed, or -errno. With `submit` above 0 the kernel reports a time limit only
  /// by the completions that are missing.
  int operator()(std::uint32_t submit, std::uint32_t complete) noexcept {
    return io_uring_enter2(static_cast<unsigned>(fd_), submit, complete, flags_,
                           reinterpret_cast<sigset_t*>(&argument_), sizeof(argument_));
  }

 private:
  int fd_;
  std::uint32_t flags_;
  __kernel_timespec timeout_{};
  io_uring_getevents_arg argument_{};
};

}  // namespace msgring::uring
