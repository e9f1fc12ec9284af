// SPDX-License-Identifier: MIT
// SIGINT and SIGTERM as a stop request, so that long work ends in order.
#pragma once

#include <stop_token>
#include <thread>

namespace msgring::cli {

/// Turns the first SIGINT or SIGTERM into a stop request.
///
/// The signals are blocked, in this thread and in those that it starts later, and a thread of their
/// own waits for them: nothing then has to be safe inside a handler.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::jthread waiter_;
};

/// The process's one; it begins with the first call.
Interruption& interruption();

}  // namespace msgring::cli
