// SPDX-License-Identifier: MIT
// Encoding and checking of frames.
#include "msgring/boot/frame.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <array>

#include "msgring/error.hpp"

namespace msgring::boot {
namespace {

constexpr std::string_view kMagic = "MSGRING1";
constexpr std::size_t kKindAt = 8;
constexpr std::size_t kLengthAt = 12;
constexpr std::size_t kPayloadSumAt = 20;
constexpr std::size_t kRunIdAt = 24;
constexpr std::size_t kHeaderSumAt = 60;
constexpr std::size_t kHeaderBytes = 64;
/// No frame is this long: a length beyond it is damage, not a reason to wait for it.
constexpr std::uint64_t kMostPayloadBytes = std::uint64_t{1} << 30;

std::uint32_t checksum(std::string_view bytes) {
  const auto sum = ::crc32_z(0, nullptr, 0);
  return static_cast<std::uint32_t>(
      ::crc32_z(sum, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

template <typename Number>
void put(std::string& bytes, std::size_t at, Number value) {
  for (std::size_t i = 0; i < sizeof value; ++i) {
    bytes[at + i] = static_cast<char>((value >> (8 * i)) & 0xFFU);
  }
}

template <typename Number>
Number get(std::string_view bytes, std::size_t at) {
  Number value = 0;
  for (std::size_t i = 0; i < sizeof value; ++i) {
    value |= static_cast<Number>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  }
  return value;
}

bool is_known(std::uint32_t kind) {
  return kind >= static_cast<std::uint32_t>(FrameKind::kStatus) &&
         kind <= static_cast<std::uint32_t>(FrameKind::kTrace);
}

/// What is wrong with a header; empty when nothing is.
std::string header_trouble(std::string_view header) {
  if (header.substr(0, kMagic.size()) != kMagic) {
    return "bytes that are no frame";
  }
  if (get<std::uint32_t>(header, kHeaderSumAt) != checksum(header.substr(0, kHeaderSumAt))) {
    return "a header with a wrong checksum";
  }
  if (!is_known(get<std::uint32_t>(header, kKindAt))) {
    return fmt::format("a frame of unknown kind {}", get<std::uint32_t>(header, kKindAt));
  }
  if (get<std::uint64_t>(header, kLengthAt) > kMostPayloadBytes) {
    return fmt::format("a frame of {} bytes", get<std::uint64_t>(header, kLengthAt));
  }
  return {};
}

}  // namespace

std::string encode_frame(const Frame& frame) {
  if (frame.run_id.size() > kRunIdBytes) {
    throw Error(ExitStatus::kInvalid, fmt::format("frame: run id '{}' has more than {} characters",
                                                  frame.run_id, kRunIdBytes));
  }
  std::string bytes(kHeaderBytes, '\0');
  bytes.replace(0, kMagic.size(), kMagic);
  put(bytes, kKindAt, static_cast<std::uint32_t>(frame.kind));
  put(bytes, kLengthAt, std::uint64_t{frame.payload.size()});
  put(bytes, kPayloadSumAt, checksum(frame.payload));
  bytes.replace(kRunIdAt, frame.run_id.size(), frame.run_id);
  put(bytes, kHeaderSumAt, checksum(std::string_view(bytes).substr(0, kHeaderSumAt)));
  return bytes + frame.payload;
}

void FrameReader::feed(std::string_view bytes) {
  if (state_ == StreamState::kOpen) {
    buffer_ += bytes;
  }
}

std::optional<Frame> FrameReader::damaged(std::string reason) {
  state_ = StreamState::kDamaged;
  reason_ = std::move(reason);
  buffer_.clear();
  return std::nullopt;
}

std::optional<Frame> FrameReader::next() {
  if (state_ != StreamState::kOpen || buffer_.size() < kHeaderBytes) {
    return std::nullopt;
  }
  const std::string_view header = std::string_view(buffer_).substr(0, kHeaderBytes);
  if (std::string reason = header_trouble(header); !reason.empty()) {
    return damaged(std::move(reason));
  }
  const auto length = static_cast<std::size_t>(get<std::uint64_t>(header, kLengthAt));
  if (buffer_.size() - kHeaderBytes < length) {
    return std::nullopt;
  }
  const std::string_view id = header.substr(kRunIdAt, kRunIdBytes);
  Frame frame{static_cast<FrameKind>(get<std::uint32_t>(header, kKindAt)),
              std::string(id.substr(0, id.find('\0'))), buffer_.substr(kHeaderBytes, length)};
  if (checksum(frame.payload) != get<std::uint32_t>(header, kPayloadSumAt)) {
    return damaged(fmt::format("a frame of {} bytes with a wrong checksum", length));
  }
  buffer_.erase(0, kHeaderBytes + length);
  return accept(std::move(frame));
}

std::optional<Frame> FrameReader::accept(Frame frame) {
  if (run_id_.empty()) {
    run_id_ = frame.run_id;
  }
  if (frame.run_id != run_id_) {
    return damaged(fmt::format("a frame of run '{}' in run '{}'", frame.run_id, run_id_));
  }
  if (frame.kind != FrameKind::kEnd) {
    ++frames_;
    return frame;
  }
  if (frame.payload != std::to_string(frames_)) {
    return damaged(fmt::format("{} frames came, the end frame counts {}", frames_, frame.payload));
  }
  state_ = StreamState::kComplete;
  return frame;
}

std::string FrameReader::trouble() const {
  if (state_ == StreamState::kDamaged) {
    return reason_;
  }
  if (state_ == StreamState::kComplete) {
    return {};
  }
  if (buffer_.empty()) {
    return fmt::format("cut after {} whole frames, without an end frame", frames_);
  }
  return fmt::format("cut inside a frame, {} bytes after {} whole ones", buffer_.size(), frames_);
}

}  // namespace msgring::boot
