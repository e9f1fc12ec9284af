// SPDX-License-Identifier: MIT
// Text, Markdown, JSON, KCIDB: golden texts, and rules that hold for every report.
#include "msgring/report/report.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "comparison/sample_points.hpp"
#include "golden.hpp"
#include "msgring/comparison/point_summary.hpp"
#include "msgring/error.hpp"
#include "msgring/report/kcidb.hpp"
#include "msgring/report/point_report.hpp"
#include "msgring/report/table.hpp"
#include "report/sample_comparisons.hpp"
#include "report/words.hpp"

namespace msgring::report {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using testing_reports::drifting_evidence;
using testing_reports::emulated;
using testing_reports::is_golden;
using testing_reports::one_boot;
using testing_reports::public_evidence;
using testing_reports::three_roles;

TEST(Golden, TextOfThePublicEvidence) {
  EXPECT_TRUE(is_golden(text_report(public_evidence(), Colour::kNever), "evidence.txt"));
}
TEST(Golden, TextOfADriftingEvidence) {
  EXPECT_TRUE(is_golden(text_report(drifting_evidence(), Colour::kNever), "drifting.txt"));
}
TEST(Golden, TextOfThreeRoles) {
  EXPECT_TRUE(is_golden(text_report(three_roles(), Colour::kNever), "three_roles.txt"));
}
TEST(Golden, TextOfAnEmulatedComparison) {
  EXPECT_TRUE(is_golden(text_report(emulated(), Colour::kNever), "emulated.txt"));
}
TEST(Golden, TextOfOneBoot) {
  EXPECT_TRUE(is_golden(text_report(one_boot(), Colour::kNever), "one_boot.txt"));
}
TEST(Golden, MarkdownOfThreeRoles) {
  EXPECT_TRUE(is_golden(markdown_report(three_roles()), "three_roles.md"));
}

TEST(Text, FitsAHundredColumns) {
  for (const auto& comparison :
       {public_evidence(), drifting_evidence(), three_roles(), emulated(), one_boot()}) {
    std::istringstream lines(text_report(comparison, Colour::kNever));
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(display_width(line), 100U) << line;
      EXPECT_FALSE(!line.empty() && line.back() == ' ') << line;
    }
  }
}

TEST(Text, ColoursTheVerdictOnlyWhenAsked) {
  EXPECT_THAT(text_report(public_evidence(), Colour::kAlways),
              HasSubstr("\x1b[1;31mslower\x1b[0m"));
  EXPECT_THAT(text_report(public_evidence(), Colour::kNever), Not(HasSubstr("\x1b")));
}

// What each format makes of a comparison.
std::vector<std::string> all_formats(const Comparison& comparison) {
  return {text_report(comparison, Colour::kNever), markdown_report(comparison),
          html_report(comparison), kcidb_report(comparison, {}), json_report(comparison)};
}

TEST(EveryFormat, HidesAnEffectThatIsNoFinding) {
  // The public run with drift: 114.010352 against the midpoint of the baseline is +11.144765 %.
  for (const std::string& text : all_formats(drifting_evidence())) {
    EXPECT_THAT(text, Not(HasSubstr("11.14"))) << text;
    EXPECT_THAT(text, HasSubstr("inconclusive"));
    EXPECT_THAT(text, HasSubstr("2.645"));
  }
}

TEST(EveryFormat, NeverCallsInstructionsTime) {
  const Comparison comparison = emulated();
  for (const std::string& text : all_formats(comparison)) {
    EXPECT_THAT(text, Not(testing::ContainsRegex("[^a-z]ns[^a-z]"))) << text;
    EXPECT_THAT(text, HasSubstr("instructions"));
  }
  EXPECT_THAT(text_report(comparison, Colour::kNever), StartsWith("Counts instructions"));
}

TEST(Words, PercentNeverShowsANegativeZero) {
  EXPECT_EQ(percent(-1e-9), "+0.000");
  EXPECT_EQ(percent(-0.123456), "-12.346");
  EXPECT_EQ(percent(0.5, Sign::kPlain), "50.000");
  EXPECT_EQ(cost(102.4763), "102.476");
  EXPECT_EQ(cost(712451.0), "712451.0");
}

TEST(Table, AlignsAndSpansTitles) {
  Table table({{"name", Align::kLeft}, {"n"}});
  table.add_row({"a title wider than the columns"});
  table.add_row({"x", "1"});
  table.add_row({"longer", "22"});
  EXPECT_EQ(table.render(" "),
            " name     n\n a title wider than the columns\n x        1\n longer  22\n");
}

TEST(Wrap, KeepsNumbersWithTheirPercentSign) {
  EXPECT_EQ(wrap("aaaa 12.000 % b", 11), "aaaa\n12.000 % b\n");
  EXPECT_EQ(wrap("", 10), "\n");
  EXPECT_EQ(wrap("a verylongwordthatcannotbreak b", 8, "- ", "  "),
            "- a\n  verylongwordthatcannotbreak\n  b\n");
}

void collect_keys(const ordered_json& json, std::set<std::string>& keys) {
  if (!json.is_structured()) {
    return;
  }
  for (const auto& item : json.items()) {
    const std::string& key = item.key();
    if (json.is_object()) {
      keys.insert(key);
    }
    if (key != "context" && key != "parameters") {  // their keys are the points' own
      collect_keys(item.value(), keys);
    }
  }
}

TEST(Json, HoldsThePublishedFiguresUnrounded) {
  const ordered_json json = ordered_json::parse(json_report(public_evidence()));
  EXPECT_EQ(json["verdict"], "slower");
  const ordered_json& entry = json["comparisons"][0];
  const auto six = [](const ordered_json& value) {
    return fmt::format("{:.6f}", value.get<double>());
  };
  EXPECT_EQ(six(entry["baseline"]["boots"][0]["mean"]), "102.476302");
  EXPECT_EQ(six(entry["changed"]["boots"][0]["mean"]), "114.440902");
  EXPECT_EQ(six(entry["baseline"]["boots"][1]["mean"]), "102.576074");
  EXPECT_EQ(six(entry["finding"]["delta_percent"]), "11.621142");
  EXPECT_EQ(six(entry["finding"]["delta_without_first_percent"]), "11.649190");
  EXPECT_EQ(six(entry["baseline"]["drift_percent"]), "0.097361");
  EXPECT_EQ(six(entry["baseline"]["boots"][0]["cv_percent"]), "0.705486");
  EXPECT_EQ(six(entry["changed"]["boots"][0]["cv_percent"]), "0.289292");
  EXPECT_EQ(six(entry["baseline"]["boots"][1]["cv_percent"]), "0.340120");
  EXPECT_EQ(entry["baseline"]["boots"][0]["rounds"].size(), 15U);
  const ordered_json drifting = ordered_json::parse(json_report(drifting_evidence()));
  EXPECT_TRUE(drifting["comparisons"][0]["finding"].is_null());
}

TEST(Json, EveryKeyIsDocumented) {
  std::set<std::string> keys;
  for (const auto& comparison : {public_evidence(), three_roles(), emulated(), one_boot()}) {
    collect_keys(ordered_json::parse(json_report(comparison)), keys);
  }
  std::ifstream file(MSGRING_SOURCE_DIR "/docs/comparison.md");
  std::ostringstream text;
  text << file.rdbuf();
  for (const std::string& key : keys) {
    EXPECT_THAT(text.str(), HasSubstr("`" + key + "`"));
  }
}

// What KCIDB's schema 5.3 allows; additional properties are refused there.
void expect_only(const ordered_json& object, const std::set<std::string>& allowed,
                 const std::set<std::string>& required) {
  for (const auto& item : object.items()) {
    EXPECT_TRUE(allowed.contains(item.key())) << item.key();
    EXPECT_FALSE(item.value().is_null()) << item.key();
  }
  for (const std::string& key : required) {
    EXPECT_TRUE(object.contains(key)) << key;
  }
}

TEST(Kcidb, KeepsToItsSchema) {
  const std::regex id("[a-z0-9_]+:.+");
  const std::regex path("[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");
  for (const auto& comparison : {public_evidence(), three_roles(), emulated(), one_boot()}) {
    const ordered_json json = ordered_json::parse(kcidb_report(comparison, {}));
    expect_only(json, {"version", "checkouts", "builds", "tests"}, {"version"});
    EXPECT_EQ(json["version"], (ordered_json{{"major", 5}, {"minor", 3}}));
    std::set<std::string> ids;
    for (const auto& checkout : json["checkouts"]) {
      expect_only(checkout, {"id", "origin"}, {"id", "origin"});
      ids.insert(checkout["id"]);
    }
    for (const auto& build : json["builds"]) {
      expect_only(build, {"id", "origin", "checkout_id", "comment", "misc"},
                  {"id", "origin", "checkout_id"});
      EXPECT_TRUE(ids.contains(build["checkout_id"]));
      ids.insert(build["id"]);
    }
    for (const auto& test : json["tests"]) {
      expect_only(test, {"id", "origin", "build_id", "path", "status", "number", "comment", "misc"},
                  {"id", "origin", "build_id"});
      EXPECT_TRUE(ids.contains(test["build_id"]));
      EXPECT_TRUE(ids.insert(test["id"]).second) << "ids are unique";
      EXPECT_TRUE(std::regex_match(test["id"].get<std::string>(), id));
      EXPECT_TRUE(std::regex_match(test["path"].get<std::string>(), path)) << test["path"];
      if (test.contains("number")) {
        expect_only(test["number"], {"value", "unit", "prefix"}, {"value"});
      }
    }
  }
}

TEST(Kcidb, StatusFollowsTheVerdict) {
  const auto tests_of = [](const Comparison& comparison) {
    return ordered_json::parse(kcidb_report(comparison, {}))["tests"];
  };
  const ordered_json slower = tests_of(public_evidence());
  EXPECT_EQ(slower[0]["status"], "DONE") << "the baseline is a plain measurement";
  EXPECT_EQ(slower[1]["status"], "FAIL");
  EXPECT_NEAR(slower[1]["number"]["value"].get<double>(), 114.440902e-9, 1e-15);
  EXPECT_EQ(slower[1]["number"]["unit"], "s");
  EXPECT_EQ(slower[1]["path"], "msgring.first_fill.fill");
  EXPECT_EQ(tests_of(drifting_evidence())[1]["status"], "DONE");
  const ordered_json invalid = tests_of(one_boot());
  EXPECT_EQ(invalid[1]["status"], "ERROR");
  EXPECT_FALSE(invalid[1].contains("number"));
  const ordered_json counted = tests_of(emulated());
  EXPECT_EQ(counted[1]["number"]["unit"], "instructions");
  EXPECT_FALSE(counted[1]["number"].contains("prefix"));
  EXPECT_EQ(counted[1]["path"], "msgring.register_fill.fill.slots64");
}

TEST(Kcidb, TakesBuildsThatAreSubmittedElsewhere) {
  KcidbOptions options;
  options.builds = {{"A", "lab:1"}, {"B", "lab:2"}};
  const ordered_json json = ordered_json::parse(kcidb_report(public_evidence(), options));
  EXPECT_FALSE(json.contains("builds"));
  EXPECT_EQ(json["tests"][1]["build_id"], "lab:2");
  options.builds["A"] = "no id";
  EXPECT_THROW(kcidb_report(public_evidence(), options), Error);
  options.builds.clear();
  options.origin = "My Lab";
  EXPECT_THROW(kcidb_report(public_evidence(), options), Error);
}

TEST(Html, IsOneFileWithoutScriptsOrAddresses) {
  const std::string html = html_report(three_roles());
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, Not(testing::ContainsRegex("https?:|src=|@import|url\\(")));
  EXPECT_THAT(html, HasSubstr("prefers-color-scheme:dark"));
  EXPECT_THAT(html, HasSubstr("@media print"));
  std::size_t plots = 0;
  for (std::size_t at = html.find("<svg"); at != std::string::npos;
       at = html.find("<svg", at + 1)) {
    ++plots;
  }
  EXPECT_EQ(plots, 6U) << "one for each comparison";
}

TEST(Html, EscapesWhatComesFromFiles) {
  auto points = testing_points::sandwich(0.1);
  points[0].context.add("cpu.note", "<script>alert(1)</script>");
  points[1].source = "b\"><img>.json";
  comparison::Plan plan;
  plan.roles = {"A", "B", "A"};
  const std::string html = html_report(comparison::compare_points(points, plan));
  EXPECT_THAT(html, Not(HasSubstr("<script>")));
  EXPECT_THAT(html, Not(HasSubstr("<img>")));
  EXPECT_THAT(html, HasSubstr("&lt;script&gt;"));
}

TEST(PointReport, ShowsResultsFaultsAndFacts) {
  const point::Point point = testing_points::make_point({.name = "a1"});
  const std::string text =
      point_report(point, comparison::summarize_point(point), {}, Colour::kNever);
  EXPECT_THAT(text, HasSubstr("  fill  install        15  100.013"));
  EXPECT_THAT(text, HasSubstr("no faults: it may be compared"));
  EXPECT_THAT(text, HasSubstr("  governor                 performance"));
  const std::string faulty = point_report(point, comparison::summarize_point(point),
                                          {{"a1.json:40", "broken"}}, Colour::kNever);
  EXPECT_THAT(faulty, HasSubstr("1 fault: it must not be used as evidence\n  a1.json:40: broken"));
}

}  // namespace
}  // namespace msgring::report
