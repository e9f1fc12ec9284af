// SPDX-License-Identifier: MIT
#include "floor.hpp"

#include <liburing.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>

#include "msgring/error.hpp"
#include "msgring/host/clock.hpp"
#include "msgring/uring/abi.hpp"

namespace msgring::bench {
namespace {

constexpr std::uint32_t kEntries = 256;

/// Part of a ring that the kernel shares.
class Mapping {
 public:
  Mapping(int fd, std::size_t size, off_t offset) : size_(size) {
    memory_ = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, offset);
    if (memory_ == MAP_FAILED) {
      throw_system_error(errno, "mmap", "floor ring");
    }
  }
  ~Mapping() { ::munmap(memory_, size_); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  unsigned* word(std::uint32_t offset) const noexcept {
    return reinterpret_cast<unsigned*>(static_cast<std::byte*>(memory_) + offset);
  }
  void* start() const noexcept { return memory_; }

 private:
  std::size_t size_;
  void* memory_;
};

int setup(std::uint32_t entries, io_uring_params& params) {
  const long fd = ::syscall(__NR_io_uring_setup, entries, &params);
  if (fd < 0) {
    throw_system_error(errno, "io_uring_setup", "floor ring");
  }
  return static_cast<int>(fd);
}

void register_with(int ring, unsigned what, const void* argument, unsigned count) {
  if (::syscall(__NR_io_uring_register, ring, what, argument, count) < 0) {
    throw_system_error(errno, "io_uring_register", "floor ring");
  }
}

}  // namespace

class Floor::RawRing {
 public:
  explicit RawRing(std::uint32_t entries)
      : fd_(setup(entries, params_)),
        sq_(fd_, params_.sq_off.array + params_.sq_entries * sizeof(unsigned), IORING_OFF_SQ_RING),
        cq_(fd_, params_.cq_off.cqes + params_.cq_entries * sizeof(io_uring_cqe),
            IORING_OFF_CQ_RING),
        sqes_(fd_, params_.sq_entries * sizeof(io_uring_sqe), IORING_OFF_SQES) {
    for (unsigned entry = 0; entry < params_.sq_entries; ++entry) {
      sq_.word(params_.sq_off.array)[entry] = entry;
    }
  }
  ~RawRing() { ::close(fd_); }
  RawRing(const RawRing&) = delete;
  RawRing& operator=(const RawRing&) = delete;

  int fd() const noexcept { return fd_; }
  std::uint32_t entries() const noexcept { return params_.sq_entries; }
  io_uring_sqe* sqes() const noexcept { return static_cast<io_uring_sqe*>(sqes_.start()); }
  unsigned* sq_tail() const noexcept { return sq_.word(params_.sq_off.tail); }
  unsigned* cq_head() const noexcept { return cq_.word(params_.cq_off.head); }
  unsigned* cq_tail() const noexcept { return cq_.word(params_.cq_off.tail); }

 private:
  io_uring_params params_{};
  int fd_;
  Mapping sq_;
  Mapping cq_;
  Mapping sqes_;
};

Floor::Floor(std::uint32_t slots, std::uint32_t batch)
    : slots_(slots),
      batch_(batch),
      file_(::memfd_create("msgring-floor", MFD_CLOEXEC)),
      source_(std::make_unique<RawRing>(std::max(kEntries, batch))) {
  if (file_ < 0) {
    throw_system_error(errno, "memfd_create", "floor");
  }
  register_with(source_->fd(), IORING_REGISTER_FILES, &file_, 1);
}

Floor::~Floor() { ::close(file_); }

void Floor::prepare() {
  target_ = std::make_unique<RawRing>(std::max(kEntries, batch_));
  io_uring_rsrc_register table{};
  table.nr = slots_;
  table.flags = IORING_RSRC_REGISTER_SPARSE;
  register_with(target_->fd(), IORING_REGISTER_FILES2, &table, sizeof(table));
  for (std::uint32_t entry = 0; entry < source_->entries(); ++entry) {
    io_uring_sqe& sqe = source_->sqes()[entry];
    sqe.opcode = IORING_OP_MSG_RING;
    sqe.fd = target_->fd();
    sqe.addr = uring::kMsgSendFd;
    sqe.file_index = uring::kFileIndexAlloc;
  }
}

std::uint64_t Floor::run() noexcept {
  unsigned* const sq_tail = source_->sq_tail();
  const int fd = source_->fd();
  bool complete = true;
  const std::uint64_t begin = host::read_clock(host::ClockKind::kMonotonicRaw);
  for (std::uint32_t done = 0; done < slots_;) {
    const std::uint32_t now = std::min(batch_, slots_ - done);
    std::atomic_ref(*sq_tail).store(*sq_tail + now, std::memory_order_release);
    ::syscall(__NR_io_uring_enter, fd, now, now, IORING_ENTER_GETEVENTS, nullptr, 0);
    for (RawRing* const ring : {source_.get(), target_.get()}) {
      const unsigned tail = std::atomic_ref(*ring->cq_tail()).load(std::memory_order_acquire);
      complete = complete && tail - *ring->cq_head() == now;
      std::atomic_ref(*ring->cq_head()).store(tail, std::memory_order_release);
    }
    done += now;
  }
  const std::uint64_t end = host::read_clock(host::ClockKind::kMonotonicRaw);
  return complete ? end - begin : 0;
}

void Floor::teardown() noexcept { target_.reset(); }

}  // namespace msgring::bench
