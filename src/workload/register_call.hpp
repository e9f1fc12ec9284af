// SPDX-License-Identifier: MIT
// io_uring_register(2) for timed regions: no exception, no liburing between the loop and the kernel
// (its helpers differ from version to version, and one of them raises resource limits on its way).
#pragma once

#include <liburing/io_uring.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "msgring/uring/ring.hpp"

namespace msgring::workload {

/// The call itself: its result, or -errno.
inline std::int32_t register_call(const uring::Ring& ring, unsigned what, const void* argument,
                                  unsigned count) noexcept {
  const long result = ::syscall(__NR_io_uring_register, ring.fd(), what, argument, count);
  return result < 0 ? -errno : static_cast<std::int32_t>(result);
}

/// An empty fixed-file table of `slots` slots. 0 or -errno.
inline std::int32_t register_sparse_table(const uring::Ring& ring, std::uint32_t slots) noexcept {
  io_uring_rsrc_register table{};
  table.nr = slots;
  table.flags = IORING_RSRC_REGISTER_SPARSE;
  return register_call(ring, IORING_REGISTER_FILES2, &table, sizeof(table));
}

/// Takes the table away. 0, or -errno (-ENXIO where there is none).
inline std::int32_t unregister_table(const uring::Ring& ring) noexcept {
  return register_call(ring, IORING_UNREGISTER_FILES, nullptr, 0);
}

/// Puts `count` descriptors (-1: none) into the slots from `first` on. Slots done, or -errno.
inline std::int32_t update_files(const uring::Ring& ring, std::uint32_t first,
                                 const std::int32_t* fds, std::uint32_t count) noexcept {
  io_uring_files_update update{};
  update.offset = first;
  update.fds = reinterpret_cast<std::uintptr_t>(fds);
  return register_call(ring, IORING_REGISTER_FILES_UPDATE, &update, count);
}

/// Puts one buffer into slot `slot` of a table of registered buffers. 1, or -errno.
inline std::int32_t update_buffer(const uring::Ring& ring, std::uint32_t slot,
                                  const iovec& buffer) noexcept {
  io_uring_rsrc_update2 update{};
  update.offset = slot;
  update.data = reinterpret_cast<std::uintptr_t>(&buffer);
  update.nr = 1;
  return register_call(ring, IORING_REGISTER_BUFFERS_UPDATE, &update, sizeof(update));
}

}  // namespace msgring::workload
