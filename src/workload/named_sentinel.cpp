// SPDX-License-Identifier: MIT
#include "workload/named_sentinel.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "msgring/error.hpp"
#include "workload/sentinel_file.hpp"

namespace msgring::workload {
namespace {

constexpr long kXfsMagic = 0x58465342;  // not in linux/magic.h 6.1

std::string make_folder() {
  const char* const chosen = std::getenv("TMPDIR");
  for (const char* const place : {"/dev/shm", chosen, "/tmp", ""}) {
    if (place == nullptr) {
      continue;
    }
    std::string path = fmt::format("{}/msgring-XXXXXX", place);
    if (::mkdtemp(path.data()) != nullptr) {
      return path;
    }
  }
  throw Error(ExitStatus::kEnvironment, "no folder for a temporary file",
              "make /dev/shm, $TMPDIR or /tmp writable");
}

}  // namespace

NamedSentinel::NamedSentinel()
    : path_(make_folder()), folder_(::open(path_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {
  const host::FileDescriptor file(
      ::openat(folder_.get(), name(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
  if (!file.valid()) {
    const int error = errno;
    ::rmdir(path_.c_str());
    throw_system_error(error, "openat", path_);
  }
  try {
    write_sentinel(file, 0);
  } catch (...) {
    ::unlinkat(folder_.get(), name(), 0);
    ::rmdir(path_.c_str());
    throw;
  }
}

NamedSentinel::~NamedSentinel() {
  ::unlinkat(folder_.get(), name(), 0);
  ::rmdir(path_.c_str());
}

std::string NamedSentinel::file_system() const {
  struct statfs status {};
  if (::fstatfs(folder_.get(), &status) != 0) {
    return "unknown";
  }
  switch (status.f_type) {
    case TMPFS_MAGIC:
      return "tmpfs";
    case RAMFS_MAGIC:
      return "ramfs";
    case EXT4_SUPER_MAGIC:
      return "ext4";
    case BTRFS_SUPER_MAGIC:
      return "btrfs";
    case OVERLAYFS_SUPER_MAGIC:
      return "overlayfs";
    case kXfsMagic:
      return "xfs";
    default:
      return fmt::format("{:#x}", status.f_type);
  }
}

}  // namespace msgring::workload
