// SPDX-License-Identifier: MIT
// Frames: how results leave a guest, so that complete, damaged and cut are three different things.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace msgring::boot {

/// What a frame carries. The numbers are on the wire: never change one.
enum class FrameKind : std::uint32_t {
  kStatus = 1,    ///< a guest phase has begun: its name (see guest.hpp)
  kLog = 2,       ///< one line for a person
  kPoint = 3,     ///< a point file
  kError = 4,     ///< why the guest could not measure, one line
  kEnd = 5,       ///< the last frame; its payload is the number of frames before it
  kKallsyms = 6,  ///< /proc/kallsyms
  kProfile = 7,   ///< an instruction profile
  kTrace = 8,     ///< call counts
};

struct Frame {
  FrameKind kind = FrameKind::kLog;
  std::string run_id;  ///< at most kRunIdBytes characters, no NUL
  std::string payload;
};

constexpr std::size_t kRunIdBytes = 32;

/// The bytes of a frame: a header of 64 bytes, little-endian, then the payload.
///
///     0  magic "MSGRING1"       20  CRC-32 of the payload      56  zero
///     8  kind                   24  run id, padded with NUL    60  CRC-32 of bytes 0 to 59
///    12  payload length, bytes
///
/// Throws Error (kInvalid) when the run id is too long.
std::string encode_frame(const Frame& frame);

/// Where a stream of frames stands.
enum class StreamState {
  kOpen,      ///< whole frames so far, more are expected
  kComplete,  ///< the end frame has come and its count is right
  kDamaged,   ///< a header, a checksum, a run id or the count is wrong
};

/// Cuts a byte stream into frames. Once damaged it stays so: nothing after damage is believed.
class FrameReader {
 public:
  /// Frames of another run id than `run_id` are damage; an empty `run_id` takes the first one's.
  explicit FrameReader(std::string run_id = {}) : run_id_(std::move(run_id)) {}

  void feed(std::string_view bytes);

  /// The next whole frame, the end frame included; nothing when more bytes are needed, or at the
  /// end, or after damage.
  std::optional<Frame> next();

  StreamState state() const noexcept { return state_; }

  /// Why the stream is damaged, or, when it is still open and its writer is gone, how it was cut.
  std::string trouble() const;

 private:
  std::optional<Frame> damaged(std::string reason);
  std::optional<Frame> accept(Frame frame);

  std::string run_id_;
  std::string buffer_;
  std::string reason_;
  std::size_t frames_ = 0;
  StreamState state_ = StreamState::kOpen;
};

}  // namespace msgring::boot
