// SPDX-License-Identifier: MIT
// Inspect, reserve, write, sync, name: the steps of a file that is whole or absent.
#include "msgring/host/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "msgring/error.hpp"

namespace msgring::host {
namespace {

constexpr mode_t kMode = 0666;  // less the umask, as for any file that a program creates

/// The name under which the kernel shows an open file: what names a nameless one (linkat(2)).
std::string descriptor_link(const FileDescriptor& file) {
  return fmt::format("/proc/self/fd/{}", file.get());
}

std::string hidden_name() {
  static std::atomic<unsigned> count{0};
  return fmt::format(".msgring-{}-{}.tmp", ::getpid(), count++);
}

/// Is `path` one of the system's own links to a process's descriptors, like /dev/stdout?
bool is_descriptor_link(const std::filesystem::path& path) {
  const auto folder = std::filesystem::absolute(path).lexically_normal().parent_path().string();
  return std::filesystem::is_symlink(path) &&
         (folder == "/dev" || folder == "/dev/fd" || folder.starts_with("/proc/"));
}

std::string hint_for(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "free some space, or name a folder on another file system";
    default:
      return "name a file in a folder that you may write to";
  }
}

}  // namespace

OutputFile::OutputFile(std::filesystem::path path, Overwrite overwrite, std::string option,
                       std::uint64_t reserved_bytes)
    : path_(std::move(path)), option_(std::move(option)), overwrite_(overwrite), target_(path_) {
  inspect_existing();
  if (special_) {
    open_special();
    return;
  }
  open_temporary();
  try {
    reserve(reserved_bytes);
  } catch (const Error&) {
    ::unlinkat(folder_.get(), temporary_.c_str(), 0);
    throw;
  }
}

OutputFile::~OutputFile() {
  if (!temporary_.empty()) {
    ::unlinkat(folder_.get(), temporary_.c_str(), 0);
  }
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      option_(std::move(other.option_)),
      overwrite_(other.overwrite_),
      special_(other.special_),
      target_(std::move(other.target_)),
      folder_(std::move(other.folder_)),
      temporary_(std::exchange(other.temporary_, {})),
      file_(std::move(other.file_)) {}

void OutputFile::inspect_existing() {
  if (!path_.has_filename()) {
    refuse(path_.empty() ? "the name is empty" : "names a folder", "give a file name");
  }
  struct stat status {};
  if (::stat(path_.c_str(), &status) != 0) {
    if (errno == ENAMETOOLONG || errno == ELOOP || errno == ENOTDIR) {
      refuse(errno_name(errno), "give another name");
    }
    std::error_code ignored;
    if (std::filesystem::is_symlink(std::filesystem::symlink_status(path_, ignored))) {
      refuse("is a link to a file that does not exist", "name the file itself");
    }
    return;  // absent, or not to be seen: opening the folder will tell
  }
  special_ = S_ISCHR(status.st_mode) || S_ISFIFO(status.st_mode);
  if (special_) {
    return;
  }
  if (S_ISDIR(status.st_mode)) {
    refuse("is a folder", "give a file name");
  }
  if (!S_ISREG(status.st_mode)) {
    refuse("is neither a file nor a terminal, pipe or character device", "give another name");
  }
  if (is_descriptor_link(path_)) {
    refuse("leads to an ordinary file", "name that file itself");
  }
  if (overwrite_ == Overwrite::kRefuse) {
    refuse("exists", "give another name, or --force to replace it");
  }
  target_ = std::filesystem::canonical(path_);
}

void OutputFile::open_special() {
  // A FIFO without a reader would block here for ever without O_NONBLOCK.
  file_.reset(::open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file_.valid()) {
    fail(errno, errno == ENXIO ? "nobody reads from it" : "cannot be opened for writing");
  }
  const int flags = ::fcntl(file_.get(), F_GETFL);
  ::fcntl(file_.get(), F_SETFL, flags & ~O_NONBLOCK);
}

void OutputFile::open_temporary() {
  const std::filesystem::path folder = target_.has_parent_path() ? target_.parent_path() : ".";
  folder_.reset(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder_.valid() && errno == ENOENT) {
    refuse(fmt::format("the folder {} does not exist", folder.string()), "create it first");
  }
  if (!folder_.valid()) {
    fail(errno, fmt::format("cannot open the folder {}", folder.string()));
  }
  file_.reset(::openat(folder_.get(), ".", O_TMPFILE | O_RDWR | O_CLOEXEC, kMode));
  if (file_.valid() && ::access(descriptor_link(file_).c_str(), F_OK) == 0) {
    return;
  }
  const std::string name = hidden_name();
  file_.reset(::openat(folder_.get(), name.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, kMode));
  if (!file_.valid()) {
    fail(errno, fmt::format("cannot create a file in {}", folder.string()));
  }
  temporary_ = name;
}

void OutputFile::reserve(std::uint64_t bytes) {
  if (::fallocate(file_.get(), 0, 0, static_cast<off_t>(bytes)) != 0 && errno != EOPNOTSUPP &&
      errno != ENOSYS) {
    fail(errno, fmt::format("cannot reserve {} bytes", bytes));
  }
}

void OutputFile::commit(std::string_view text) {
  write_all(text);
  if (special_) {
    return;
  }
  if (::ftruncate(file_.get(), static_cast<off_t>(text.size())) != 0 || ::fsync(file_.get()) != 0) {
    fail(errno, "cannot be written");
  }
  publish();
}

void OutputFile::write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(file_.get(), text.data(), text.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      fail(errno, "cannot be written");
    }
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

void OutputFile::publish() {
  const std::string name = target_.filename();
  const int error = overwrite_ == Overwrite::kForce ? replace(name) : link_as(name);
  int beside_error = error;
  std::string beside;
  for (int number = 1; beside_error == EEXIST && number < 100; ++number) {
    beside = fmt::format("{}.{}", name, number);
    beside_error = link_as(beside);
  }
  if (beside_error != 0) {
    fail(beside_error, "the finished file cannot be given its name");
  }
  if (::fsync(folder_.get()) != 0) {
    fail(errno, "the folder cannot be synced");
  }
  if (error == EEXIST) {
    throw Error(ExitStatus::kEnvironment,
                fmt::format("{} {}: someone created it during the run", option_, path_.string()),
                fmt::format("the result is whole and stands beside it as {}", beside));
  }
}

/// Gives the file a name that must be free. Returns 0 or an errno value.
int OutputFile::link_as(const std::string& name) {
  if (temporary_.empty()) {
    const int result = ::linkat(AT_FDCWD, descriptor_link(file_).c_str(), folder_.get(),
                                name.c_str(), AT_SYMLINK_FOLLOW);
    return result == 0 ? 0 : errno;
  }
  if (::renameat2(folder_.get(), temporary_.c_str(), folder_.get(), name.c_str(),
                  RENAME_NOREPLACE) == 0) {
    temporary_.clear();
    return 0;
  }
  if (errno != EINVAL && errno != ENOSYS) {
    return errno;
  }
  // Some network file systems know no RENAME_NOREPLACE; a hard link never replaces either. The
  // hidden name then goes with the destructor.
  const int result = ::linkat(folder_.get(), temporary_.c_str(), folder_.get(), name.c_str(), 0);
  return result == 0 ? 0 : errno;
}

/// Puts the file in the place of `name`, whatever stands there. Returns 0 or an errno value.
int OutputFile::replace(const std::string& name) {
  if (temporary_.empty()) {
    // linkat(2) cannot replace: a nameless file needs a hidden name for the length of this call.
    const std::string hidden = hidden_name();
    if (const int error = link_as(hidden); error != 0) {
      return error;
    }
    temporary_ = hidden;
  }
  if (::renameat(folder_.get(), temporary_.c_str(), folder_.get(), name.c_str()) != 0) {
    return errno;
  }
  temporary_.clear();
  return 0;
}

void OutputFile::refuse(const std::string& what, std::string hint) const {
  throw Error(ExitStatus::kUsage, fmt::format("{} {}: {}", option_, path_.string(), what),
              std::move(hint));
}

void OutputFile::fail(int error, std::string_view what) const {
  throw Error(ExitStatus::kEnvironment,
              fmt::format("{} {}: {}: {}", option_, path_.string(), what, errno_name(error)),
              hint_for(error));
}

}  // namespace msgring::host
