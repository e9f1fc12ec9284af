// SPDX-License-Identifier: MIT
// flock(2) on a descriptor that programs inherit.
#include "build_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include "msgring/error.hpp"

namespace msgring::tree {

BuildLock::BuildLock(const std::filesystem::path& folder,
                     const std::function<void(std::string_view)>& progress,
                     const std::stop_token& stop)
    : file_(::open((folder / "lock").c_str(), O_RDWR | O_CREAT, 0644)) {
  if (!file_.valid()) {
    throw_system_error(errno, "open", (folder / "lock").native());
  }
  bool told = false;
  while (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) {
      throw_system_error(errno, "flock", (folder / "lock").native());
    }
    if (!told) {
      progress(fmt::format("waiting: another build works in {}", folder.native()));
      told = true;
    }
    if (stop.stop_requested()) {
      throw Error(ExitStatus::kInterrupted, "interrupted");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

}  // namespace msgring::tree
