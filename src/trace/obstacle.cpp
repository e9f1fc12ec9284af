// SPDX-License-Identifier: MIT
#include "trace/obstacle.hpp"

#include <fmt/format.h>

#include <cerrno>

#include "msgring/host/file.hpp"

namespace msgring::trace {
namespace {

/// Is a lockdown mode in force ("none [integrity] confidentiality")? Documentation:
/// kernel_lockdown(7).
bool is_locked_down(const host::Root& root) {
  const std::string modes = host::read_attribute(root.path("/sys/kernel/security/lockdown")).text;
  return modes.find('[') != std::string::npos && modes.find("[none]") == std::string::npos;
}

std::string_view text_of(Obstacle obstacle) {
  switch (obstacle) {
    case Obstacle::kNotMounted:
      return "tracefs is not mounted";
    case Obstacle::kReadOnly:
      return "tracefs is mounted read-only";
    case Obstacle::kNoPermission:
      return "no permission";
    case Obstacle::kLockedDown:
      return "the kernel is locked down";
    case Obstacle::kNotBuiltIn:
      break;
  }
  return "not built into this kernel";
}

}  // namespace

Obstacle obstacle_of(int error, const host::Root& root) {
  switch (error) {
    case EROFS:
      return Obstacle::kReadOnly;
    case EPERM:
    case EACCES:
      return is_locked_down(root) ? Obstacle::kLockedDown : Obstacle::kNoPermission;
    default:
      return Obstacle::kNotBuiltIn;
  }
}

std::string obstacle_text(std::string_view what, Obstacle obstacle, std::string_view evidence) {
  return fmt::format("{}: {} ({})", what, text_of(obstacle), evidence);
}

}  // namespace msgring::trace
