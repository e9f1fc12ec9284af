// SPDX-License-Identifier: MIT
// Text of /proc and /sys is split as its writers meant it, and numbers are whole or refused.
#include "host/parse.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

namespace msgring::host {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ParseNumber, TakesWholeTextsOnly) {
  EXPECT_EQ(parse_number<int>("-12"), -12);
  EXPECT_EQ(parse_number<std::uint64_t>("18446744073709551615"), UINT64_MAX);
  for (const char* text : {"", " 1", "1 ", "1k", "0x1", "+1", "18446744073709551616"}) {
    EXPECT_EQ(parse_number<std::uint64_t>(text), std::nullopt) << text;
  }
}

TEST(Words, AreSplitAtAnyWhiteSpace) {
  EXPECT_THAT(words_of(" full\t(lazy) \n"), ElementsAre("full", "(lazy)"));
  EXPECT_THAT(words_of(" \n"), IsEmpty());
  EXPECT_THAT(lines_of("a b\n\nc"), ElementsAre("a b", "c"));
  EXPECT_EQ(trimmed("\t a b \r\n"), "a b");
  EXPECT_EQ(trimmed(" "), "");
}

TEST(FieldOf, FindsWholeNamesWithTabsBeforeTheColon) {
  constexpr const char* kText =
      "model\t\t: 154\nmodel name\t: A: B\nSeccomp_filters:\t3\nSeccomp:\t2\n";
  EXPECT_EQ(field_of(kText, "model"), "154");
  EXPECT_EQ(field_of(kText, "model name"), "A: B");
  EXPECT_EQ(field_of(kText, "Seccomp"), "2");
  EXPECT_EQ(field_of(kText, "stepping"), std::nullopt);
}

}  // namespace
}  // namespace msgring::host
