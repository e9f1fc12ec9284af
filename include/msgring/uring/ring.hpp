// SPDX-License-Identifier: MIT
// Ring: the one owner of an io_uring instance, set up with exactly the flags asked for.
#pragma once

#include <liburing.h>

#include <cstdint>
#include <span>
#include <string>

namespace msgring::uring {

/// What to ask of io_uring_setup(2).
struct RingSetup {
  std::uint32_t sq_entries = 256;  ///< rounded up to a power of two by the kernel
  std::uint32_t cq_entries = 0;    ///< 0: the kernel's default, twice the SQ entries
  std::uint32_t flags = 0;         ///< IORING_SETUP_*; never more than these are set
};

/// An io_uring instance. Move-only. The SQ index array is the identity, so whoever fills SQEs
/// directly only has to publish a tail.
///
/// Ring memory is mapped by liburing; the set-up call is our own, because newer liburing adds flags
/// of its own (IORING_SETUP_NO_SQARRAY) on kernels that know them, which would make two kernels
/// differ in more than the kernel.
class Ring {
 public:
  /// Throws std::system_error that names `role` ("source ring", ...).
  Ring(const RingSetup& setup, std::string role);
  ~Ring();
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;
  Ring(Ring&& other) noexcept;
  Ring& operator=(Ring&& other) noexcept;

  int fd() const noexcept { return ring_.ring_fd; }
  const std::string& role() const noexcept { return role_; }
  /// The flags in force, as the kernel took them.
  std::uint32_t flags() const noexcept { return ring_.flags; }
  std::uint32_t sq_entries() const noexcept { return ring_.sq.ring_entries; }
  std::uint32_t cq_entries() const noexcept { return ring_.cq.ring_entries; }
  io_uring* raw() noexcept { return &ring_; }
  const io_uring* raw() const noexcept { return &ring_; }

  /// IORING_REGISTER_FILES2 with IORING_RSRC_REGISTER_SPARSE: an empty table of `slots` slots.
  void register_sparse_files(std::uint32_t slots);
  /// IORING_REGISTER_FILES: a table that holds `fds`.
  void register_files(std::span<const int> fds);
  void unregister_files();
  /// IORING_REGISTER_RING_FDS: later calls of io_uring_enter name the ring by its registered index.
  void register_ring_fd();

  /// What `io_uring_enter` takes as its first argument, and the flag that goes with it.
  int enter_fd() const noexcept { return ring_.enter_ring_fd; }
  std::uint32_t enter_flags() const noexcept {
    return enter_fd() == ring_.ring_fd ? 0U : IORING_ENTER_REGISTERED_RING;
  }

  /// SQEs that the kernel refused as malformed at submission (`sq_dropped`).
  std::uint32_t sq_dropped() const noexcept;
  /// Completions that were lost for want of CQ space (`cq_overflow`).
  std::uint32_t cq_overflow() const noexcept;
  /// Is the kernel holding completions that did not fit (IORING_SQ_CQ_OVERFLOW)?
  bool cq_overflow_flagged() const noexcept;
  /// SQEs published but not yet consumed by the kernel.
  std::uint32_t sq_pending() const noexcept;
  /// Completions ever posted, the kernel's own count since set-up (modulo 2^32).
  std::uint32_t cq_posted() const noexcept;
  /// Completions posted but not yet consumed.
  std::uint32_t cq_ready() const noexcept;

 private:
  void swap(Ring& other) noexcept;

  io_uring ring_{};
  std::string role_;
};

}  // namespace msgring::uring
