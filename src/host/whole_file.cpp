// SPDX-License-Identifier: MIT
// Plain system calls, since a stream says neither ENOSPC nor when data reached the disk.
#include "msgring/host/whole_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "msgring/error.hpp"
#include "msgring/host/fd.hpp"
#include "msgring/host/output_file.hpp"

namespace msgring::host {
namespace {

void append_rest(int file, const std::filesystem::path& path, std::string& text) {
  std::array<char, 65536> buffer{};
  for (;;) {
    const ssize_t count = ::read(file, buffer.data(), buffer.size());
    if (count == 0) {
      return;
    }
    if (count < 0 && errno != EINTR) {
      throw_system_error(errno, "read", path.native());
    }
    if (count > 0) {
      text.append(buffer.data(), static_cast<std::size_t>(count));
    }
  }
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) {
    throw_system_error(errno, "open", path.native());
  }
  std::string text;
  append_rest(file.get(), path, text);
  return text;
}

std::string read_file_from(const std::filesystem::path& path, std::size_t offset) {
  std::string text;
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.valid() && ::lseek(file.get(), static_cast<off_t>(offset), SEEK_SET) >= 0) {
    append_rest(file.get(), path, text);
  }
  return text;
}

void write_new_file(const std::filesystem::path& path, std::string_view text) {
  OutputFile(path, Overwrite::kRefuse, "file", text.size()).commit(text);
}

void sync_folder(const std::filesystem::path& folder) {
  const FileDescriptor handle(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!handle.valid() || ::fsync(handle.get()) != 0) {
    throw_system_error(errno, "fsync", folder.native());
  }
}

}  // namespace msgring::host
