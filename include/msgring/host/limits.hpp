// SPDX-License-Identifier: MIT
// The two limits that stop a ring: open files (a fixed-file table counts) and locked memory.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace msgring::host {

/// RLIMIT_NOFILE before and after `raise_nofile`.
struct NofileLimit {
  std::uint64_t soft_before;
  std::uint64_t soft_after;
  std::uint64_t hard;
};

/// Descriptors that a process needs beside its table: standard streams, rings, files, libraries.
constexpr std::uint64_t kNofileMargin = 64;

/// The soft limit to set for a fixed-file table of `slots`: max(soft, slots + margin), capped at
/// `hard`; never lower than it is.
std::uint64_t wanted_nofile(std::uint64_t slots, std::uint64_t soft, std::uint64_t hard);

/// Raises the soft RLIMIT_NOFILE to `wanted_nofile`; the hard limit is left alone. The kernel
/// refuses a table with more slots than the soft limit (io_sqe_files_register: EMFILE).
/// Throws Error(kEnvironment), with slots, soft and hard limit, when the hard limit is below
/// `slots`.
NofileLimit raise_nofile(std::uint64_t slots);

/// For a person: "soft 1024 raised to 4160, hard 20000" or "soft 20000, hard 20000".
std::string describe(const NofileLimit& limit);

/// Entries of one ring as the kernel rounds them: powers of two.
struct RingSize {
  std::uint64_t sq_entries;
  std::uint64_t cq_entries;
};

/// Bytes of the SQ and CQ arrays of one ring as the kernel allocates them: header, CQEs and index
/// array in one power-of-two block of pages, SQEs in another (rings_size() and ring_pages() of
/// Linux 5.10's fs/io_uring.c).
std::uint64_t ring_memory_bytes(const RingSize& ring, std::uint64_t page_bytes = 4096);

/// Whether rings count against RLIMIT_MEMLOCK, what they need, and what there is.
struct MemlockNeed {
  std::optional<bool> is_counted;            ///< nothing: the release cannot be read
  std::uint64_t needed_bytes;                ///< all rings that exist at the same time
  std::optional<std::uint64_t> limit_bytes;  ///< soft limit; nothing: unlimited
  bool fits;         ///< not counted, or within the limit (if nobody else uses it)
  std::string text;  ///< one line for a person; says "per user" where it counts
};

/// Linux before 5.12 counts ring memory against RLIMIT_MEMLOCK, summed over all processes of the
/// user, unless the process has CAP_IPC_LOCK; from 5.12 on it is charged to the memory cgroup
/// (commit 26bfa89e25f4). A distribution may have moved that change, so `fits == false` is a
/// warning, not a verdict. `release` as in uname ("5.10.0-32-amd64").
MemlockNeed memlock_need(std::span<const RingSize> rings, std::string_view release,
                         std::optional<std::uint64_t> limit_bytes, bool has_ipc_lock);

/// The same for this process on this machine.
MemlockNeed memlock_need(std::span<const RingSize> rings);

}  // namespace msgring::host
