// SPDX-License-Identifier: MIT
// Set-up, registration and state of a ring.
#include "msgring/uring/ring.hpp"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <utility>

#include "msgring/error.hpp"

namespace msgring::uring {
namespace {

constexpr int kNoRing = -1;

/// liburing returns -errno; msgring throws it.
void demand(int result, std::string_view call, std::string_view object) {
  if (result < 0) {
    throw_system_error(-result, call, object);
  }
}

unsigned load_acquire(const unsigned* word) noexcept {
  return std::atomic_ref<unsigned>(*const_cast<unsigned*>(word)).load(std::memory_order_acquire);
}

}  // namespace

Ring::Ring(const RingSetup& setup, std::string role) : role_(std::move(role)) {
  io_uring_params params{};
  params.flags = setup.flags;
  if (setup.cq_entries != 0) {
    params.flags |= IORING_SETUP_CQSIZE;
    params.cq_entries = setup.cq_entries;
  }
  const long fd = ::syscall(__NR_io_uring_setup, setup.sq_entries, &params);
  if (fd < 0) {
    throw_system_error(errno, "io_uring_setup", role_);
  }
  const int mapped = io_uring_queue_mmap(static_cast<int>(fd), &params, &ring_);
  if (mapped < 0) {
    ::close(static_cast<int>(fd));
    ring_.ring_fd = kNoRing;
    throw_system_error(-mapped, "io_uring_queue_mmap", role_);
  }
  ring_.features = params.features;
  for (unsigned entry = 0; entry < params.sq_entries; ++entry) {
    ring_.sq.array[entry] = entry;
  }
}

Ring::~Ring() {
  if (ring_.ring_fd != kNoRing) {
    io_uring_queue_exit(&ring_);
  }
}

Ring::Ring(Ring&& other) noexcept {
  ring_.ring_fd = kNoRing;
  swap(other);
}

Ring& Ring::operator=(Ring&& other) noexcept {
  Ring taken(std::move(other));
  swap(taken);
  return *this;
}

void Ring::swap(Ring& other) noexcept {
  std::swap(ring_, other.ring_);
  std::swap(role_, other.role_);
}

void Ring::register_sparse_files(std::uint32_t slots) {
  io_uring_rsrc_register table{};
  table.nr = slots;
  table.flags = IORING_RSRC_REGISTER_SPARSE;
  const long result = ::syscall(__NR_io_uring_register, ring_.ring_fd, IORING_REGISTER_FILES2,
                                &table, sizeof(table));
  if (result < 0) {
    throw_system_error(errno, "io_uring_register(FILES2, sparse)",
                       fmt::format("{}, {} slots", role_, slots));
  }
}

void Ring::register_files(std::span<const int> fds) {
  demand(io_uring_register_files(&ring_, fds.data(), static_cast<unsigned>(fds.size())),
         "io_uring_register(FILES)", role_);
}

void Ring::unregister_files() {
  demand(io_uring_unregister_files(&ring_), "io_uring_register(UNREGISTER_FILES)", role_);
}

void Ring::register_ring_fd() {
  demand(io_uring_register_ring_fd(&ring_), "io_uring_register(RING_FDS)", role_);
}

std::uint32_t Ring::sq_dropped() const noexcept { return load_acquire(ring_.sq.kdropped); }

std::uint32_t Ring::cq_overflow() const noexcept { return load_acquire(ring_.cq.koverflow); }

bool Ring::cq_overflow_flagged() const noexcept {
  return (load_acquire(ring_.sq.kflags) & IORING_SQ_CQ_OVERFLOW) != 0;
}

std::uint32_t Ring::sq_pending() const noexcept {
  return load_acquire(ring_.sq.ktail) - load_acquire(ring_.sq.khead);
}

std::uint32_t Ring::cq_posted() const noexcept { return load_acquire(ring_.cq.ktail); }

std::uint32_t Ring::cq_ready() const noexcept {
  return load_acquire(ring_.cq.ktail) - load_acquire(ring_.cq.khead);
}

}  // namespace msgring::uring
