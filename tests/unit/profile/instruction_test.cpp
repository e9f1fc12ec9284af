// SPDX-License-Identifier: MIT
#include "profile/plugin/instruction.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "msgring/host/clock.hpp"

namespace msgring::profile {
namespace {

using Bytes = std::vector<std::uint8_t>;

Flow flow_of(const Bytes& bytes) { return decode(bytes, 0x1000).flow; }
std::uint64_t target_of(const Bytes& bytes) { return decode(bytes, 0x1000).target; }

TEST(Instruction, RelativeTargetsCountFromTheNextInstruction) {
  EXPECT_EQ(target_of({0xE8, 0x10, 0, 0, 0}), 0x1015U);                 // 0x1000 + 5 + 0x10
  EXPECT_EQ(target_of({0xEB, 0xFE}), 0x1000U);                          // -2: to itself
  EXPECT_EQ(target_of({0x74, 0x7F}), 0x1081U);                          // 0x1000 + 2 + 0x7f
  EXPECT_EQ(target_of({0x0F, 0x85, 0xFA, 0xFF, 0xFF, 0xFF}), 0x1000U);  // 6 - 6
  EXPECT_EQ(target_of({0x2E, 0xE9, 0, 1, 0, 0}), 0x1106U);              // a prefix counts
}

TEST(Instruction, EveryWayOutOfABlockIsTold) {
  EXPECT_EQ(flow_of({0xE8, 0, 0, 0, 0}), Flow::kCall);
  EXPECT_EQ(flow_of({0xFF, 0xD0}), Flow::kIndirectCall);              // call *%rax
  EXPECT_EQ(flow_of({0x41, 0xFF, 0xD3}), Flow::kIndirectCall);        // call *%r11
  EXPECT_EQ(flow_of({0xFF, 0x25, 0, 0, 0, 0}), Flow::kIndirectJump);  // jmp *mem
  EXPECT_EQ(flow_of({0x3E, 0xFF, 0xE0}), Flow::kIndirectJump);        // notrack jmp *%rax
  EXPECT_EQ(flow_of({0xE9, 0, 0, 0, 0}), Flow::kJump);
  EXPECT_EQ(flow_of({0xE3, 0}), Flow::kBranch);  // jrcxz
  EXPECT_EQ(flow_of({0xC3}), Flow::kReturn);
  EXPECT_EQ(flow_of({0xF3, 0xC3}), Flow::kReturn);
  EXPECT_EQ(flow_of({0xC2, 8, 0}), Flow::kReturn);
  EXPECT_EQ(flow_of({0x0F, 0x05}), Flow::kSystemCall);
  EXPECT_EQ(flow_of({0x48, 0x0F, 0x07}), Flow::kSystemReturn);
  EXPECT_EQ(flow_of({0x48, 0xCF}), Flow::kInterruptReturn);
  EXPECT_EQ(flow_of({0xF3, 0x48, 0xA5}), Flow::kRepeat);  // rep movsq
}

TEST(Instruction, EverythingElseGoesOn) {
  EXPECT_EQ(flow_of({0xFF, 0xC0}), Flow::kPlain);  // inc %eax
  EXPECT_EQ(flow_of({0xFF, 0x30}), Flow::kPlain);  // push mem
  EXPECT_EQ(flow_of({0x48, 0xA5}), Flow::kPlain);  // movsq once
  EXPECT_EQ(flow_of({0xF3, 0x90}), Flow::kPlain);  // pause
  EXPECT_EQ(flow_of({0x0F, 0x1F, 0x44, 0, 0}), Flow::kPlain);
  EXPECT_EQ(flow_of({}), Flow::kPlain);
  EXPECT_EQ(flow_of({0x66}), Flow::kPlain);
  EXPECT_EQ(flow_of({0x0F}), Flow::kPlain);
}

TEST(Instruction, TraceableFunctionsAreRecognised) {
  EXPECT_TRUE(begins_function(Bytes{0xF3, 0x0F, 0x1E, 0xFA, 0x0F, 0x1F, 0x44, 0, 0}));
  EXPECT_TRUE(begins_function(Bytes{0x66, 0x0F, 0x1F, 0x00, 0xE8, 1, 2, 3, 4}));
  EXPECT_FALSE(begins_function(Bytes{0xF3, 0x0F, 0x1E, 0xFA, 0x55}));
  EXPECT_FALSE(begins_function(Bytes{0xE8, 1, 2, 3, 4}));
}

TEST(Instruction, MarksAreTheOnesThatTheHarnessEmits) {
  const auto begin = decode_mark(Bytes{0x0F, 0x1F, 0x80, 0x02, 'B', 'R', 'M'});
  ASSERT_TRUE(begin);
  EXPECT_EQ(begin->kind, MarkKind::kBegin);
  EXPECT_EQ(begin->phase, 2);
  const auto end = decode_mark(Bytes{0x0F, 0x1F, 0x80, 0x00, 'E', 'R', 'M'});
  ASSERT_TRUE(end);
  EXPECT_EQ(end->kind, MarkKind::kEnd);
  EXPECT_FALSE(decode_mark(Bytes{0x0F, 0x1F, 0x80, 0, 0, 0, 0}));
  EXPECT_FALSE(decode_mark(Bytes{0x0F, 0x1F, 0x84, 0x02, 'B', 'R', 'M'}));
}

#if defined(__x86_64__)
// The bytes of the marks as the compiler placed them into this very program.
[[gnu::noinline]] void with_marks() {
  host::mark_phase_begin<1>();
  host::mark_phase_end<1>();
}

TEST(Instruction, MarksOfThisProgramAreFound) {
  const auto* code = reinterpret_cast<const std::uint8_t*>(&with_marks);
  std::vector<MarkKind> kinds;
  for (std::size_t at = 0; at < 64 && kinds.size() < 2; ++at) {
    if (const auto mark = decode_mark({code + at, 7}); mark && mark->phase == 1) {
      kinds.push_back(mark->kind);
    }
  }
  EXPECT_EQ(kinds, (std::vector<MarkKind>{MarkKind::kBegin, MarkKind::kEnd}));
}
#endif

}  // namespace
}  // namespace msgring::profile
