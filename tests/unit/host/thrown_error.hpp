// SPDX-License-Identifier: MIT
// What a person sees of an Error, and the exit status that goes with it.
#pragma once

#include <functional>
#include <string>

#include "msgring/error.hpp"

namespace msgring::host {

/// `status` is kOk and `line` empty when nothing was thrown.
struct ThrownError {
  ExitStatus status = ExitStatus::kOk;
  std::string line;
};

inline ThrownError error_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return {error.status(), describe(error)};
  }
  return {};
}

}  // namespace msgring::host
