// SPDX-License-Identifier: MIT
// Registered buffers: pages that can be told apart, and the proof which of them a slot holds.
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <vector>

#include "msgring/uring/ring.hpp"
#include "workload/checks.hpp"
#include "workload/mapped_array.hpp"
#include "workload/sentinel_file.hpp"

namespace msgring::workload {

/// Buffers of kSentinelBytes; buffer n has the bytes of sentinel file n.
class SentinelPages {
 public:
  /// Throws std::system_error when the memory is not to be had.
  explicit SentinelPages(std::uint8_t count);
  /// Valid as long as this object stands.
  const iovec& buffer(std::uint8_t number) const noexcept { return buffers_[number]; }

 private:
  MappedArray<std::uint8_t> bytes_;
  std::vector<iovec> buffers_;
};

/// Writes one byte (offset slot mod 4096 of the buffer that `contents` names) from every slot of
/// `ring`'s buffer table, none of them empty, into a file, and checks what arrived there. The
/// kernel refuses an address outside the slot's buffer with EFAULT, so a wrong buffer fails twice
/// over. Untimed; the ring must be idle.
void read_back_buffers(uring::Ring& ring, const SlotContents& contents, const SentinelPages& pages,
                       std::uint32_t round, std::int64_t timeout_s, CheckReport& report);

}  // namespace msgring::workload
