// SPDX-License-Identifier: MIT
#include "workload/read_back.hpp"

#include <algorithm>
#include <array>

#include "workload/sentinel_file.hpp"
#include "workload/untimed_batch.hpp"

namespace msgring::workload {
namespace {

constexpr std::uint32_t kChunk = 256;

SqeShape one_byte_read() {
  io_uring_sqe sqe{};
  io_uring_prep_read(&sqe, 0, nullptr, 1, 0);
  sqe.flags |= IOSQE_FIXED_FILE;
  return SqeShape(sqe);
}

}  // namespace

void read_back_table(uring::Ring& ring, const SlotContents& contents, std::uint32_t round,
                     std::int64_t timeout_s, CheckReport& report) {
  std::array<std::uint8_t, kChunk> bytes{};
  std::array<std::int32_t, kChunk> results{};
  const SqeShape shape = one_byte_read();
  const auto slots = static_cast<std::uint32_t>(contents.size());
  const std::uint32_t chunk = std::min(kChunk, ring.sq_entries());
  const std::uint64_t base = user_data_base(Stream::kReadBack, round);
  for (std::uint32_t first = 0; first < slots; first += chunk) {
    const std::uint32_t count = std::min(chunk, slots - first);
    bytes.fill(0);
    const bool complete =
        run_untimed(ring, shape, base + first, std::span(results).first(count), timeout_s, report,
                    [&](io_uring_sqe& sqe, std::uint32_t number) {
                      const std::uint32_t slot = first + number;
                      sqe.fd = static_cast<std::int32_t>(slot);
                      sqe.off = slot % kSentinelBytes;
                      sqe.addr = reinterpret_cast<std::uintptr_t>(&bytes[number]);
                    });
    if (!complete) {
      return;
    }
    for (std::uint32_t number = 0; number < count; ++number) {
      check_read_back(first + number, contents[first + number], results[number], bytes[number],
                      report);
    }
  }
}

}  // namespace msgring::workload
