// SPDX-License-Identifier: MIT
// Complete, damaged and cut streams are told apart, byte by byte.
#include "msgring/boot/frame.hpp"

#include <gmock/gmock.h>

#include "msgring/error.hpp"

namespace msgring::boot {
namespace {

std::string good_stream() {
  return encode_frame({FrameKind::kStatus, "r1", "booted"}) +
         encode_frame({FrameKind::kPoint, "r1", "{\"a\": 1}\n"}) +
         encode_frame({FrameKind::kEnd, "r1", "2"});
}

StreamState state_after(const std::string& bytes, const std::string& run_id = {}) {
  FrameReader reader(run_id);
  reader.feed(bytes);
  while (reader.next()) {
  }
  return reader.state();
}

TEST(Frame, HasTheLayoutThatTheHeaderFileStates) {
  const std::string bytes = encode_frame({FrameKind::kPoint, "id", "123456789"});
  ASSERT_EQ(bytes.size(), 64U + 9U);
  EXPECT_EQ(bytes.substr(0, 8), "MSGRING1");
  EXPECT_EQ(bytes.substr(8, 4), std::string("\x03\0\0\0", 4));
  EXPECT_EQ(bytes.substr(12, 8), std::string("\x09\0\0\0\0\0\0\0", 8));
  // CRC-32 of "123456789" is 0xCBF43926, the check value of the algorithm's catalogues.
  EXPECT_EQ(bytes.substr(20, 4), std::string("\x26\x39\xF4\xCB", 4));
  EXPECT_EQ(bytes.substr(24, 3), std::string("id\0", 3));
}

TEST(FrameReader, GivesFramesBackFromSingleBytes) {
  FrameReader reader;
  std::vector<std::string> payloads;
  for (const char byte : good_stream()) {
    reader.feed({&byte, 1});
    while (const auto frame = reader.next()) {
      payloads.push_back(frame->payload);
    }
  }
  EXPECT_THAT(payloads, ::testing::ElementsAre("booted", "{\"a\": 1}\n", "2"));
  EXPECT_EQ(reader.state(), StreamState::kComplete);
}

TEST(FrameReader, FindsEveryFlippedBit) {
  const std::string good = good_stream();
  for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_NE(state_after(bad), StreamState::kComplete) << "bit " << bit;
  }
}

TEST(FrameReader, FindsEveryCut) {
  const std::string good = good_stream();
  for (std::size_t length = 0; length < good.size(); ++length) {
    FrameReader reader;
    reader.feed(good.substr(0, length));
    while (reader.next()) {
    }
    EXPECT_EQ(reader.state(), StreamState::kOpen) << "length " << length;
    EXPECT_THAT(reader.trouble(), ::testing::StartsWith("cut")) << "length " << length;
  }
}

TEST(FrameReader, FindsALostFrame) {
  const std::string lost = encode_frame({FrameKind::kStatus, "r1", "booted"}) +
                           encode_frame({FrameKind::kEnd, "r1", "2"});
  FrameReader reader;
  reader.feed(lost);
  while (reader.next()) {
  }
  EXPECT_EQ(reader.state(), StreamState::kDamaged);
  EXPECT_EQ(reader.trouble(), "1 frames came, the end frame counts 2");
}

TEST(FrameReader, RefusesAnotherRunsFrames) {
  EXPECT_EQ(state_after(good_stream(), "r1"), StreamState::kComplete);
  EXPECT_EQ(state_after(good_stream(), "r2"), StreamState::kDamaged);
}

TEST(Frame, RefusesARunIdThatDoesNotFit) {
  EXPECT_THROW(encode_frame({FrameKind::kLog, std::string(33, 'x'), {}}), Error);
}

}  // namespace
}  // namespace msgring::boot
