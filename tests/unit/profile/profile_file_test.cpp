// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include "msgring/profile/profile.hpp"
#include "sample.hpp"

namespace msgring::profile {
namespace {

using testing::HasSubstr;

Profile sample() {
  return sample_profile("7.1.3", 8, {{"fill", 0, 0}, {"enter", 0, 30}, {"io_submit", 1, 50}});
}

std::string parse_error(const std::string& text) {
  return error_line([&] { parse_profile(text, "x.profile"); });
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(ProfileFile, IsReadBackAsItWasWritten) {
  const std::string text = profile_text(sample());
  EXPECT_EQ(profile_text(parse_profile(text, "x.profile")), text);
  EXPECT_THAT(text, HasSubstr("\"instructions\":80"));
}

TEST(ProfileFile, EveryCutIsRefusedInOneLine) {
  const std::string text = profile_text(sample());
  for (std::size_t length = 0; length + 2 < text.size(); ++length) {
    const std::string line = parse_error(text.substr(0, length));
    ASSERT_THAT(line, HasSubstr("x.profile: damaged profile: it is not JSON, or was cut"))
        << length;
  }
}

TEST(ProfileFile, DamageIsNamed) {
  const std::string text = profile_text(sample());
  EXPECT_THAT(parse_error(replaced(text, "[1,2,1,50]", "[1,2,1,51]")),
              HasSubstr("phase fill: the nodes' sum is 81, not the 80 that it says"));
  EXPECT_THAT(parse_error(replaced(text, "[1,2,1,50]", "[2,2,1,50]")),
              HasSubstr("node 2 is out of order"));
  EXPECT_THAT(parse_error(replaced(text, "[1,2,1,50]", "[1,9,1,50]")),
              HasSubstr("node 2 is out of order"));
  EXPECT_THAT(parse_error(replaced(text, "[1,2,1,50]", "[1,2,1]")),
              HasSubstr("phase.nodes is missing or wrong"));
  EXPECT_THAT(parse_error(replaced(text, "\"operations\":8", "\"operations\":0")),
              HasSubstr("phase fill is empty"));
  EXPECT_THAT(parse_error(replaced(text, "\"rounds\":2", "\"rounds\":-2")),
              HasSubstr("profile.rounds is missing or wrong"));
  EXPECT_THAT(parse_error(replaced(text, "\"release\"", "\"realise\"")),
              HasSubstr("kernel.release is missing or wrong"));
  EXPECT_THAT(parse_error(replaced(text, "\"unit\":\"instructions\"", "\"unit\":\"ns\"")),
              HasSubstr("not a profile of version 1 in instructions"));
  EXPECT_THAT(parse_error("{\"context\":{}}"), HasSubstr("msgring_profile is missing"));
  EXPECT_THAT(parse_error("[]"), HasSubstr("profile is no object"));
}

TEST(ProfileFile, AMissingFileIsNamed) {
  EXPECT_THAT(error_line([] { read_profile("/nonexistent/a.profile"); }),
              HasSubstr("/nonexistent/a.profile: ENOENT"));
}

TEST(ProfileFile, ACountThatTheGuestsClockDeniesIsRefused) {
  Profile profile = sample();
  EXPECT_EQ(error_line([&] { check_against_clock(profile); }), "no error");  // clock unknown
  profile.phases[0].nodes[2].self = 99970;                                   // 100000 in all
  profile.phases[0].clock_instructions = 100200;                             // -0.1996 %
  EXPECT_EQ(error_line([&] { check_against_clock(profile); }), "no error");
  profile.phases[0].clock_instructions = 100300;  // -0.299 %
  EXPECT_THAT(error_line([&] { check_against_clock(profile); }),
              HasSubstr("phase fill: 100000 instructions were counted, the guest's clock says "
                        "100300 (-0.299 %)"));
}

}  // namespace
}  // namespace msgring::profile
