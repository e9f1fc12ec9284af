// SPDX-License-Identifier: MIT
#include "trace/tracing_folder.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/mount.h>

#include <cerrno>
#include <optional>

#include "msgring/error.hpp"
#include "msgring/host/file.hpp"
#include "trace/obstacle.hpp"

namespace msgring::trace {
namespace {

constexpr const char* kFolder = "/sys/kernel/tracing";

/// Mounts tracefs where only this process sees it. The errno value, or 0.
int mount_for_this_process() {
  if (::unshare(CLONE_NEWNS) != 0 ||
      ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      ::mount("tracefs", kFolder, "tracefs", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) != 0) {
    return errno;
  }
  return 0;
}

std::string not_mounted(const std::string& evidence) {
  return obstacle_text("tracing", Obstacle::kNotMounted, evidence) +
         "; mount -t tracefs nodev /sys/kernel/tracing";
}

}  // namespace

TracingFolder find_tracing_folder(const host::Root& root) {
  for (const char* folder : {kFolder, "/sys/kernel/debug/tracing"}) {
    const std::filesystem::path path = root.path(folder);
    const host::TextFile tracers = host::read_text_file(path / "available_tracers");
    if (tracers.state == host::FileState::kRead) {
      return {path, ""};
    }
    if (tracers.state == host::FileState::kUnreadable) {
      return {"", obstacle_text("tracing", obstacle_of(tracers.error, root),
                                fmt::format("{}: {}", folder, errno_name(tracers.error)))};
    }
  }
  if (!root.is_this_machine()) {
    return {"", not_mounted(fmt::format("{} is empty", kFolder))};
  }
  const int error = mount_for_this_process();
  if (error == 0) {
    return {kFolder, "tracefs was not mounted: mounted for this process only"};
  }
  if (error == ENODEV) {
    return {"", obstacle_text("tracing", Obstacle::kNotBuiltIn, "mount tracefs: ENODEV")};
  }
  return {"", not_mounted(fmt::format("and mounting it: {}", errno_name(error)))};
}

}  // namespace msgring::trace
