// SPDX-License-Identifier: MIT
// SIGINT and SIGTERM: remembered, so that the round at hand can end in order.
#pragma once

#include <chrono>

namespace msgring::bench {

/// Catches SIGINT and SIGTERM while it lives and remembers the first. One at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
};

/// The signal that arrived, or 0.
int interrupted() noexcept;

/// "SIGINT" or "SIGTERM".
const char* signal_name(int signal) noexcept;

/// Sleeps for `pause`, or until a signal arrives.
void sleep_unless_interrupted(std::chrono::microseconds pause) noexcept;

}  // namespace msgring::bench
