// SPDX-License-Identifier: MIT
// Reading through plain system calls, since a stream cannot tell an absent file from a forbidden
// one.
#include "msgring/host/file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>

#include "msgring/host/fd.hpp"
#include "parse.hpp"

namespace msgring::host {
namespace {

constexpr std::size_t kMostBytes = std::size_t{4} << 20;

FileState state_of(int error) {
  return error == ENOENT || error == ENOTDIR ? FileState::kAbsent : FileState::kUnreadable;
}

TextFile failed(int error) { return {state_of(error), {}, error}; }

}  // namespace

TextFile read_text_file(const std::filesystem::path& path) {
  // Without O_NONBLOCK a FIFO in the place of a file would hang the reader for ever.
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.valid()) {
    return failed(errno);
  }
  TextFile result{FileState::kRead, {}, 0};
  std::array<char, 16384> buffer{};
  for (;;) {
    const ssize_t count = ::read(file.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      return failed(errno);
    }
    if (count == 0) {
      return result;
    }
    result.text.append(buffer.data(), static_cast<std::size_t>(count));
    if (result.text.size() > kMostBytes) {
      return failed(EFBIG);
    }
  }
}

TextFile read_attribute(const std::filesystem::path& path) {
  TextFile file = read_text_file(path);
  file.text = std::string(trimmed(file.text));
  return file;
}

FolderList list_folder(const std::filesystem::path& path) {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(path.c_str()), &::closedir);
  if (folder == nullptr) {
    return {state_of(errno), {}, errno};
  }
  FolderList result{FileState::kRead, {}, 0};
  errno = 0;
  while (const dirent* entry = ::readdir(folder.get())) {
    const std::string name(static_cast<const char*>(entry->d_name));
    if (name != "." && name != "..") {
      result.names.push_back(name);
    }
  }
  if (errno != 0) {
    return {state_of(errno), {}, errno};
  }
  std::sort(result.names.begin(), result.names.end());
  return result;
}

}  // namespace msgring::host
