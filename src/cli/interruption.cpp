// SPDX-License-Identifier: MIT
// sigtimedwait(2) in a thread.
#include "cli/interruption.hpp"

#include <csignal>
#include <ctime>

namespace msgring::cli {
namespace {

sigset_t signals() {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGINT);
  ::sigaddset(&set, SIGTERM);
  return set;
}

}  // namespace

Interruption::Interruption() {
  const sigset_t set = signals();
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  waiter_ = std::jthread([this, set](const std::stop_token& end) {
    const timespec patience{0, 100'000'000};
    while (!end.stop_requested()) {
      if (::sigtimedwait(&set, nullptr, &patience) > 0) {
        source_.request_stop();
      }
    }
  });
}

Interruption::~Interruption() { waiter_.request_stop(); }

Interruption& interruption() {
  static Interruption instance;
  return instance;
}

}  // namespace msgring::cli
