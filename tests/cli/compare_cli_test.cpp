// SPDX-License-Identifier: MIT
// The built `msgring`: verdicts, exit statuses, files, error lines.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "command.hpp"

namespace msgring::testing_cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

const std::string evidence = MSGRING_TEST_DATA "/tsv/measured-rounds.tsv";
const std::string drifting = MSGRING_TEST_DATA "/tsv/drifting-rounds.tsv";

class Msgring : public testing::Test {
 protected:
  Outcome msgring(const std::vector<std::string>& arguments) {
    return run("msgring", arguments, folder_.path());
  }
  std::string file(const std::string& name, const std::string& text) {
    const auto path = folder_.path() / name;
    std::ofstream(path) << text;
    return path.string();
  }
  TemporaryFolder folder_;
};

TEST_F(Msgring, GivesThePublishedFiguresAsJson) {
  const Outcome outcome = msgring({"compare", evidence, "--format", "json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const json report = json::parse(outcome.out);
  EXPECT_EQ(report["verdict"], "slower");
  const json& entry = report["comparisons"][0];
  EXPECT_EQ(fmt::format("{:.6f}", entry["finding"]["delta_percent"].get<double>()), "11.621142");
  EXPECT_EQ(fmt::format("{:.6f}", entry["baseline"]["drift_percent"].get<double>()), "0.097361");
}

TEST_F(Msgring, ADriftingRunIsInconclusive) {
  const Outcome outcome = msgring({"compare", drifting});
  EXPECT_EQ(outcome.status, 4);
  EXPECT_THAT(outcome.out, HasSubstr("inconclusive: gate drift failed: |+2.645 %| >= 2 %"));
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("11.14")));
  const Outcome mail = msgring({"compare", drifting, "--format", "regzbot"});
  EXPECT_EQ(mail.status, 4);
  EXPECT_THAT(mail.err, HasSubstr("no mail is written"));
}

TEST_F(Msgring, FailOnNamesTheVerdict) {
  EXPECT_EQ(msgring({"compare", evidence, "--fail-on", "slower"}).status, 1);
  EXPECT_EQ(msgring({"compare", evidence, "--fail-on", "faster,unchanged"}).status, 0);
  EXPECT_EQ(msgring({"compare", drifting, "--fail-on", "inconclusive"}).status, 1);
  EXPECT_EQ(msgring({"compare", evidence, "--fail-on", "nonsense"}).status, 2);
}

TEST_F(Msgring, ThresholdDecides) {
  EXPECT_EQ(msgring({"compare", evidence, "--threshold", "15%", "--fail-on", "unchanged"}).status,
            1);
  EXPECT_EQ(msgring({"compare", evidence, "--threshold", "much"}).status, 2);
}

TEST_F(Msgring, WritesAndLintsTheMail) {
  const std::string eml = (folder_.path() / "report.eml").string();
  const Outcome outcome = msgring({"compare", evidence, "--format", "regzbot", "--introduced",
                                   "v6.12..v6.13-rc1", "--out", eml});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(text_of(eml), HasSubstr("#regzbot introduced: v6.12..v6.13-rc1\n"));
  EXPECT_EQ(msgring({"check", "--mail", eml}).status, 0);
  std::string damaged = text_of(eml);
  damaged.replace(damaged.find("introduced: "), 12, "introduced:");
  const Outcome check = msgring({"check", "--mail", file("damaged.eml", damaged)});
  EXPECT_EQ(check.status, 3);
  EXPECT_THAT(check.err, HasSubstr("a blank and a parameter must follow the colon"));
  EXPECT_EQ(msgring({"compare", evidence, "--format", "regzbot", "--introduced", "v6.12"}).status,
            2);
}

TEST_F(Msgring, NeverOverwritesUnlessForced) {
  const std::string out = file("r.txt", "earlier\n");
  const Outcome refused = msgring({"compare", evidence, "--out", out});
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(text_of(out), "earlier\n");
  EXPECT_EQ(lines_of(refused.err), 1U) << refused.err;
  EXPECT_EQ(msgring({"compare", evidence, "--out", out, "--force"}).status, 0);
  EXPECT_THAT(text_of(out), StartsWith("From an imported table"));
}

TEST_F(Msgring, NeverOverwritesAPointEvenIfForced) {
  const std::string point = file("table.tsv", text_of(evidence));
  for (const char* option : {"--out", "--plot"}) {
    const std::string link = (folder_.path() / "link.txt").string();
    std::filesystem::remove(link);
    std::filesystem::create_hard_link(point, link);
    const Outcome outcome = msgring({"compare", point, option, link, "--force"});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr("would overwrite the point"));
    EXPECT_EQ(lines_of(outcome.err), 1U) << outcome.err;
    EXPECT_EQ(text_of(point), text_of(evidence));
  }
}

TEST_F(Msgring, WhatCannotBeReadIsBadInput) {
  const std::string pipe = (folder_.path() / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const auto& [name, expected] :
       {std::pair{(folder_.path() / "absent.json").string(), "No such file"},
        {folder_.path().string(), "Is a directory; name the files in it"},
        {pipe, "is empty"},
        {std::string("/dev/null"), "is empty"},
        {std::string("/dev/zero"), "is larger than 64 MiB"}}) {
    const Outcome outcome = msgring({"compare", name, name});
    EXPECT_EQ(outcome.status, 3) << name;
    EXPECT_THAT(outcome.err, HasSubstr(expected));
    EXPECT_EQ(lines_of(outcome.err), 1U) << outcome.err;
  }
}

TEST_F(Msgring, BadFilesAreOneLineAndExitThree) {
  for (const auto& [name, text, expected] :
       {std::tuple{"empty.json", std::string(), "empty.json:1:1: is empty"},
        {"cut.json", std::string("{\"context\": {"), "ends in the middle"},
        {"prose.json", std::string("fio: oops\n{\"context\": {}}"), "text before the JSON"},
        {"win.tsv", std::string("point\tround\r\n"), "win.tsv:1:12: Windows line end"},
        {"cols.tsv", std::string("point\tround\n"), "the header lacks"}}) {
    for (const char* command : {"compare", "check", "show"}) {
      const Outcome outcome = msgring({command, file(name, text)});
      EXPECT_EQ(outcome.status, 3) << name;
      EXPECT_THAT(outcome.err, HasSubstr(expected));
      EXPECT_EQ(lines_of(outcome.err), 1U) << outcome.err;
      EXPECT_THAT(outcome.out, IsEmpty());
    }
  }
}

TEST_F(Msgring, UsageIsExitTwo) {
  EXPECT_EQ(msgring({}).status, 2);
  EXPECT_EQ(msgring({"compare"}).status, 2);
  EXPECT_EQ(msgring({"compare", evidence, "--format", "pdf"}).status, 2);
  EXPECT_EQ(msgring({"compare", evidence, "--plot", "x.pdf"}).status, 2);
  EXPECT_EQ(msgring({"compare", evidence, "--roles", "A,B"}).status, 2);
  EXPECT_EQ(msgring({"--help"}).status, 0);
  EXPECT_EQ(msgring({"--version"}).status, 0);
}

TEST_F(Msgring, OneFileTwiceIsRefused) {
  const Outcome outcome = msgring({"compare", evidence, evidence, "--order", "ABA"});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, HasSubstr("is the same measurement as"));
}

}  // namespace
}  // namespace msgring::testing_cli
