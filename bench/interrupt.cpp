// SPDX-License-Identifier: MIT
#include "interrupt.hpp"

#include <csignal>
#include <ctime>

namespace msgring::bench {
namespace {

volatile sig_atomic_t g_signal = 0;

void remember(int signal) { g_signal = g_signal == 0 ? signal : g_signal; }

void handle(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  g_signal = 0;
  handle(&remember);
}

InterruptGuard::~InterruptGuard() { handle(SIG_DFL); }

int interrupted() noexcept { return g_signal; }

const char* signal_name(int signal) noexcept { return signal == SIGTERM ? "SIGTERM" : "SIGINT"; }

void sleep_unless_interrupted(std::chrono::microseconds pause) noexcept {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(pause);
  const timespec duration{seconds.count(), (pause - seconds).count() * 1000};
  if (interrupted() == 0 && pause.count() != 0) {
    ::nanosleep(&duration, nullptr);
  }
}

}  // namespace msgring::bench
