// SPDX-License-Identifier: MIT
// `msgring explain` on two stored profiles.
#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "command.hpp"

namespace msgring::testing_cli {
namespace {

using testing::HasSubstr;

const std::string kData = MSGRING_TEST_DATA "/profile/";
const std::string kA = kData + "6.12.95.profile";
const std::string kB = kData + "7.1.3.profile";

TEST(Explain, NamesTheAllocationPathAsTheLargestPart) {
  const TemporaryFolder folder;
  const Outcome outcome = run("msgring", {"explain", kA, kB}, folder.path());
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("A  6.12.95+deb12-cloud-amd64\nB  7.1.3+deb13-cloud-amd64\n"));
  const std::size_t table = outcome.out.find("\nfunction ");
  ASSERT_NE(table, std::string::npos);
  const std::size_t first_row = outcome.out.find('\n', table + 1) + 1;
  EXPECT_EQ(outcome.out.substr(first_row, 25), "__kmalloc_noprof (only B)");
  EXPECT_THAT(outcome.out, HasSubstr("io_rsrc_node_alloc (only B)"));
  EXPECT_THAT(outcome.out, HasSubstr("io_cache_alloc_new (only B)"));
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 76U) << line;
  }
}

TEST(Explain, JsonRowsSumExactly) {
  const TemporaryFolder folder;
  const Outcome outcome = run("msgring", {"explain", kA, kB, "--format", "json"}, folder.path());
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto phase = nlohmann::json::parse(outcome.out).at("phases").at(0);
  std::int64_t a = 0;
  std::int64_t change = 0;
  for (const auto& row : phase.at("functions")) {
    a += row.at("self").at("a").get<std::int64_t>();
    change += row.at("self").at("change").get<std::int64_t>();
  }
  EXPECT_EQ(a, phase.at("total").at("a").get<std::int64_t>());
  EXPECT_EQ(change, phase.at("total").at("change").get<std::int64_t>());
  EXPECT_EQ(phase.at("divisor").get<std::int64_t>(), 5 * 4096);
}

TEST(Explain, WritesItsFileWholeAndNeverOverIt) {
  const TemporaryFolder folder;
  const std::vector<std::string> arguments{"explain", kA,      kB,      "--format",
                                           "html",    "--out", "d.html"};
  EXPECT_EQ(run("msgring", arguments, folder.path()).status, 0);
  EXPECT_THAT(text_of(folder.path() / "d.html"), HasSubstr("</svg>"));
  const Outcome again = run("msgring", arguments, folder.path());
  EXPECT_EQ(again.status, 2);
  EXPECT_EQ(lines_of(again.err), 1U) << again.err;
}

TEST(Explain, ADamagedProfileIsOneLineAndNoFile) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "cut.profile") << text_of(kB).substr(0, 5000);
  const Outcome outcome =
      run("msgring", {"explain", kA, "cut.profile", "--out", "d.txt"}, folder.path());
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, HasSubstr("cut.profile: damaged profile: it is not JSON, or was cut"));
  EXPECT_EQ(lines_of(outcome.err), 1U) << outcome.err;
  EXPECT_THAT(folder.names(), testing::ElementsAre("cut.profile"));
}

TEST(Explain, OneProfileOrNoneIsAUsageError) {
  const TemporaryFolder folder;
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"explain"},
        {"explain", kA},
        {"explain", "--a", "6.12"},
        {"explain", kA, kB, "--a", "6.12", "--b", "7.1"}}) {
    const Outcome outcome = run("msgring", arguments, folder.path());
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_EQ(lines_of(outcome.err), 1U) << outcome.err;
  }
}

// The presets with tests demand libtracefs: without it this would be status 5.
TEST(Trace, IsInThisBuildAndRefusesWhatItCannotCount) {
  const TemporaryFolder folder;
  const Outcome outcome = run("msgring", {"trace", "--slots", "0"}, folder.path());
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--slots"));
}

}  // namespace
}  // namespace msgring::testing_cli
