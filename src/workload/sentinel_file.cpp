// SPDX-License-Identifier: MIT
#include "workload/sentinel_file.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "msgring/error.hpp"

namespace msgring::workload {

void write_sentinel(const host::FileDescriptor& file, std::uint32_t number) {
  std::array<std::uint8_t, kSentinelBytes> bytes{};
  for (std::uint32_t offset = 0; offset < kSentinelBytes; ++offset) {
    bytes[offset] = sentinel_byte(offset, number);
  }
  const ssize_t written = ::pwrite(file.get(), bytes.data(), bytes.size(), 0);
  if (written != static_cast<ssize_t>(bytes.size())) {
    throw_system_error(written < 0 ? errno : ENOSPC, "pwrite", "sentinel file");
  }
}

host::FileDescriptor make_sentinel_file(std::uint32_t number) {
  host::FileDescriptor file(::memfd_create("msgring-sentinel", MFD_CLOEXEC));
  if (!file.valid()) {
    throw_system_error(errno, "memfd_create", "sentinel file");
  }
  write_sentinel(file, number);
  return file;
}

}  // namespace msgring::workload
