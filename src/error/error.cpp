// SPDX-License-Identifier: MIT
// Error texts and the map from exceptions to exit statuses.
#include "msgring/error.hpp"

#include <fmt/format.h>

#include <cstring>
#include <system_error>

namespace msgring {

std::string errno_name(int error) {
  const char* name = strerrorname_np(error);
  return name != nullptr ? std::string(name) : fmt::format("errno {}", error);
}

void throw_system_error(int error, std::string_view call, std::string_view object) {
  const std::string where =
      object.empty() ? std::string(call) : fmt::format("{}: {}", call, object);
  throw std::system_error(error, std::generic_category(),
                          fmt::format("{}: {}", where, errno_name(error)));
}

std::string describe(const std::exception& error) {
  const auto* own = dynamic_cast<const Error*>(&error);
  if (own == nullptr || own->hint().empty()) {
    return error.what();
  }
  return fmt::format("{}; {}", own->what(), own->hint());
}

ExitStatus exit_status_of(const std::exception& error) noexcept {
  if (const auto* own = dynamic_cast<const Error*>(&error)) {
    return own->status();
  }
  if (dynamic_cast<const std::system_error*>(&error) != nullptr) {
    return ExitStatus::kEnvironment;
  }
  return ExitStatus::kInvalid;
}

}  // namespace msgring
