// SPDX-License-Identifier: MIT
// From a range of versions to a list of releases.
#include "msgring/bisect/releases.hpp"

#include <gmock/gmock.h>

#include "msgring/error.hpp"

namespace msgring::bisect {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::vector<std::string> kCached = {"7.1.13+deb13-cloud-amd64",   "6.1.0-50-cloud-amd64",
                                          "6.12.95+deb12-cloud-amd64",  "7.3.4+deb13-cloud-amd64",
                                          "6.12.117+deb13-cloud-amd64", "7.1.3+deb13-cloud-amd64",
                                          "6.12.117+deb13-amd64",       "7.1.3+deb13-cloud-amd64"};

std::string refusal(const std::string& range, std::string_view flavour = "cloud-amd64") {
  try {
    releases_in(parse_release_range(range), kCached, flavour, "the cache");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Releases, RunFromTheOldestGoodToTheNewestBadOfOneFlavour) {
  EXPECT_THAT(releases_in({"6.12", "7.1"}, kCached, "cloud-amd64", "the cache"),
              ElementsAre("6.12.95+deb12-cloud-amd64", "6.12.117+deb13-cloud-amd64",
                          "7.1.3+deb13-cloud-amd64", "7.1.13+deb13-cloud-amd64"));
  EXPECT_THAT(releases_in({"6.12", "6.12"}, kCached, "cloud-amd64", "the cache"),
              ElementsAre("6.12.95+deb12-cloud-amd64", "6.12.117+deb13-cloud-amd64"));
  EXPECT_THAT(
      releases_in({"6.12.117", "7.1.3"}, kCached, "", "the cache"),
      ElementsAre("6.12.117+deb13-amd64", "6.12.117+deb13-cloud-amd64", "7.1.3+deb13-cloud-amd64"));
}

TEST(Releases, AreRefusedWithTheReason) {
  EXPECT_THAT(refusal("6.12..7.9"), HasSubstr("no cloud-amd64 kernel 7.9 in the cache, which has"));
  EXPECT_THAT(refusal("5.10..7.1"), HasSubstr("no cloud-amd64 kernel 5.10"));
  EXPECT_EQ(refusal("7.1..6.12"),
            "--releases 7.1..6.12: 7.1.3+deb13-cloud-amd64 is not older than "
            "6.12.117+deb13-cloud-amd64");
  EXPECT_EQ(refusal("7.3..7.3"), "--releases 7.3..7.3: holds only 7.3.4+deb13-cloud-amd64");
  for (const char* text : {"", "6.12", "6.12..", "..7.1", "6.12...7.1", ".."}) {
    EXPECT_THAT(refusal(text), HasSubstr("is no range")) << text;
  }
}

TEST(UpstreamTag, IsClaimedForUpstreamVersionsOnly) {
  EXPECT_EQ(upstream_tag("6.12.95"), "v6.12.95");
  EXPECT_EQ(upstream_tag("6.12.0"), "v6.12");
  EXPECT_EQ(upstream_tag("7.0.0-rc3"), "v7.0-rc3");
  EXPECT_FALSE(upstream_tag("6.12.95+deb12-cloud-amd64").has_value());
  EXPECT_FALSE(upstream_tag("6.1.0-50-cloud-amd64").has_value());
}

}  // namespace
}  // namespace msgring::bisect
