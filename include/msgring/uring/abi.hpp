// SPDX-License-Identifier: MIT
// Kernel constants that an old liburing's headers lack. Source: include/uapi/linux/io_uring.h.
#pragma once

#include <liburing.h>

#include <cstdint>

namespace msgring::uring {

/// IORING_OP_FUTEX_WAIT, since Linux 6.7.
inline constexpr std::uint8_t kOpFutexWait = 51;

/// Flags of a futex operation (`sqe->fd`), from include/uapi/linux/futex.h since 6.7: a 32-bit word
/// that only this process waits on.
inline constexpr std::int32_t kFutex2SizeU32 = 0x02;
inline constexpr std::int32_t kFutex2Private = 128;

/// IORING_OP_MSG_RING commands (`sqe->addr`): IORING_MSG_DATA since 5.18, IORING_MSG_SEND_FD
/// since 6.0.
inline constexpr std::uint64_t kMsgData = 0;
inline constexpr std::uint64_t kMsgSendFd = 1;

/// IORING_MSG_RING_CQE_SKIP (`sqe->msg_ring_flags`): post no completion to the target.
inline constexpr std::uint32_t kMsgRingCqeSkip = 1U << 0;

/// IORING_FILE_INDEX_ALLOC (`sqe->file_index`): the kernel picks a free slot.
inline constexpr std::uint32_t kFileIndexAlloc = ~0U;

/// IORING_SETUP_NO_SQARRAY, since 6.6: newer liburing sets it by itself, msgring never does.
inline constexpr std::uint32_t kSetupNoSqArray = 1U << 16;

/// IORING_MAX_ENTRIES and IORING_MAX_CQ_ENTRIES (io_uring/io_uring.c).
inline constexpr std::uint32_t kMaxSqEntries = 32768;
inline constexpr std::uint32_t kMaxCqEntries = 2 * kMaxSqEntries;

/// IORING_MAX_FIXED_FILES (io_uring/rsrc.c): the kernel's cap for one fixed-file table.
inline constexpr std::uint32_t kMaxFixedFiles = 1U << 20;

/// IORING_MAX_REG_BUFFERS (io_uring/rsrc.c): the same for a table of registered buffers.
inline constexpr std::uint32_t kMaxFixedBuffers = 1U << 14;

}  // namespace msgring::uring
