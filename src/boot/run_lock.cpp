// SPDX-License-Identifier: MIT
// flock(2).
#include "msgring/boot/run_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>

#include "msgring/error.hpp"

namespace msgring::boot {

RunLock::RunLock(const std::filesystem::path& folder)
    : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (!folder_.valid()) {
    throw_system_error(errno, "open", folder.native());
  }
  if (::flock(folder_.get(), LOCK_EX | LOCK_NB) == 0) {
    return;
  }
  if (errno != EWOULDBLOCK) {
    throw_system_error(errno, "flock", folder.native());
  }
  throw Error(ExitStatus::kUsage,
              fmt::format("{}: another msgring works in this folder", folder.native()),
              "wait for it, or take another folder");
}

}  // namespace msgring::boot
