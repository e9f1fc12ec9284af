// SPDX-License-Identifier: MIT
#include "workload/buffer_read_back.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "msgring/error.hpp"
#include "msgring/host/fd.hpp"
#include "workload/untimed_batch.hpp"

namespace msgring::workload {
namespace {

constexpr std::uint32_t kChunk = 256;

SqeShape one_byte_write(int file) {
  io_uring_sqe sqe{};
  io_uring_prep_write_fixed(&sqe, file, nullptr, 1, 0, 0);
  return SqeShape(sqe);
}

host::FileDescriptor make_sink() {
  host::FileDescriptor sink(::memfd_create("msgring-buffers", MFD_CLOEXEC));
  if (!sink.valid() || ::ftruncate(sink.get(), kChunk) != 0) {
    throw_system_error(errno, "memfd_create", "read-back of buffers");
  }
  return sink;
}

std::array<std::uint8_t, kChunk> bytes_of(const host::FileDescriptor& sink) {
  std::array<std::uint8_t, kChunk> bytes{};
  if (::pread(sink.get(), bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw_system_error(errno, "pread", "read-back of buffers");
  }
  return bytes;
}

}  // namespace

SentinelPages::SentinelPages(std::uint8_t count) : bytes_(std::size_t{count} * kSentinelBytes) {
  for (std::uint8_t number = 0; number < count; ++number) {
    std::uint8_t* const page = bytes_.data() + std::size_t{number} * kSentinelBytes;
    for (std::uint32_t offset = 0; offset < kSentinelBytes; ++offset) {
      page[offset] = sentinel_byte(offset, number);
    }
    buffers_.push_back({page, kSentinelBytes});
  }
}

void read_back_buffers(uring::Ring& ring, const SlotContents& contents, const SentinelPages& pages,
                       std::uint32_t round, std::int64_t timeout_s, CheckReport& report) {
  std::array<std::int32_t, kChunk> results{};
  const auto slots = static_cast<std::uint32_t>(contents.size());
  const std::uint32_t chunk = std::min(kChunk, ring.sq_entries());
  const std::uint64_t base = user_data_base(Stream::kReadBack, round);
  for (std::uint32_t first = 0; first < slots; first += chunk) {
    const std::uint32_t count = std::min(chunk, slots - first);
    const host::FileDescriptor sink = make_sink();
    const bool complete = run_untimed(
        ring, one_byte_write(sink.get()), base + first, std::span(results).first(count), timeout_s,
        report, [&](io_uring_sqe& sqe, std::uint32_t number) {
          const std::uint32_t slot = first + number;
          const auto page = reinterpret_cast<std::uintptr_t>(pages.buffer(contents[slot]).iov_base);
          sqe.addr = page + slot % kSentinelBytes;
          sqe.off = number;
          sqe.buf_index = static_cast<std::uint16_t>(slot);
        });
    if (!complete) {
      return;
    }
    const auto bytes = bytes_of(sink);
    for (std::uint32_t number = 0; number < count; ++number) {
      check_read_back(first + number, contents[first + number], results[number], bytes[number],
                      report);
    }
  }
}

}  // namespace msgring::workload
