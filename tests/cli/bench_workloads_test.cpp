// SPDX-License-Identifier: MIT
// Several workloads in one point: rows, checks and phases of each, what is skipped, what is
// counted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "command.hpp"

namespace msgring::testing_cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// The names that `--list` prints at the beginning of a line.
std::vector<std::string> listed_workloads() {
  const TemporaryFolder folder;
  const std::string text = run("msgring_bench", {"--list"}, folder.path()).out;
  std::vector<std::string> names;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.front() != ' ') {
      names.push_back(line.substr(0, line.find(' ')));
    }
  }
  return names;
}

/// A run of `workloads` in sizes that take no time.
Outcome run_small(const TemporaryFolder& folder, const std::string& workloads,
                  std::vector<std::string> more = {}) {
  std::vector<std::string> arguments{"--workload", workloads, "--rounds", "2",
                                     "--warmup",   "1",       "--gap",    "1ms",
                                     "--settle",   "none",    "--out",    "p.json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run("msgring_bench", arguments, folder.path());
}

json point_in(const TemporaryFolder& folder) {
  return json::parse(text_of(folder.path() / "p.json"));
}

std::string workload_of(const json& row) {
  const auto name = row.at("run_name").get<std::string>();
  return name.substr(0, name.find('/'));
}

/// "fill:install,interval:round" -> "fill": the phases without the interval.
std::vector<std::string> phases_in(const json& context, const std::string& workload) {
  std::istringstream text(
      context.at("msgring.workload." + workload + ".phases").get<std::string>());
  std::vector<std::string> names;
  for (std::string phase; std::getline(text, phase, ',');) {
    if (!phase.starts_with("interval:")) {
      names.push_back(phase.substr(0, phase.find(':')));
    }
  }
  return names;
}

TEST(Workloads, AllOfThemGiveRowsChecksAndPhasesOrSayWhyNot) {
  const TemporaryFolder folder;
  const Outcome outcome =
      run_small(folder, "all", {"--slots", "128", "--ops", "500", "--replicates", "4"});
  if (outcome.status == 5) {
    GTEST_SKIP() << outcome.err;
  }
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json point = point_in(folder);
  const json& context = point.at("context");
  std::map<std::string, int> rows;
  for (const json& row : point.at("benchmarks")) {
    if (row.at("run_type") != "iteration") {
      continue;
    }
    const std::string workload = workload_of(row);
    ++rows[workload];
    double sum = 0;
    for (const std::string& phase : phases_in(context, workload)) {
      sum += row.at(phase + "_ns").get<double>();
      EXPECT_GT(row.at(phase + "_operations"), 0);
    }
    EXPECT_GE(row.at("interval_ns").get<double>(), sum) << workload;
    EXPECT_FALSE(row.contains("error_occurred")) << row.dump();
    std::size_t checks = 0;
    for (const auto& [key, value] : row.items()) {
      if (key.starts_with("check.")) {
        ++checks;
        EXPECT_EQ(value, 0) << workload << " " << key;
      }
    }
    EXPECT_GE(checks, 8U) << workload;
  }
  for (const std::string& workload : listed_workloads()) {
    if (context.contains("msgring.workload." + workload + ".skipped")) {
      EXPECT_THAT(outcome.out, HasSubstr("skipped  " + workload));
    } else {
      EXPECT_EQ(rows[workload], 2) << workload;
    }
  }
}

TEST(Workloads, KeepTheirOwnSizesUnlessToldOtherwise) {
  const TemporaryFolder folder;
  const Outcome listed = run(
      "msgring_bench",
      {"--benchmark_list_tests=true", "--workload",
       "register_fill,refill,cache,file_update,message_data", "--slots", "4096", "--fill", "64"},
      folder.path());
  ASSERT_EQ(listed.status, 0) << listed.err;
  EXPECT_THAT(listed.out, HasSubstr("register_fill/slots:4096/fill:64/batch:64/"));
  EXPECT_THAT(listed.out, HasSubstr("refill/slots:4096/fill:64/batch:64/"));
  EXPECT_THAT(listed.out, HasSubstr("cache/slots:4096/batch:64/replicates:128/"));
  EXPECT_THAT(listed.out, HasSubstr("file_update/slots:4096/batch:32/ops:65536/"));
  EXPECT_THAT(listed.out, HasSubstr("message_data/batch:64/ops:262144/"));
}

TEST(Workloads, AListOfSlotsDoesNotRepeatWhatHasNoTable) {
  const TemporaryFolder folder;
  const Outcome listed = run("msgring_bench",
                             {"--benchmark_list_tests=true", "--workload", "first_fill,futex_rearm",
                              "--slots", "64,128", "--cqe-skip"},
                             folder.path());
  ASSERT_EQ(listed.status, 0) << listed.err;
  EXPECT_EQ(lines_of(listed.out), 3U) << listed.out;
  EXPECT_THAT(listed.out, HasSubstr("first_fill/cqe:skip/slots:128"));
  EXPECT_THAT(listed.out, HasSubstr("futex_rearm/batch:64"));
}

TEST(Workloads, TwoPhasesOfOneNounAreToldApart) {
  const TemporaryFolder folder;
  const Outcome outcome = run_small(folder, "cache", {"--replicates", "4"});
  if (outcome.status == 5) {
    GTEST_SKIP() << outcome.err;
  }
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json row = point_in(folder).at("benchmarks").at(0);
  for (const char* key : {"cold_ns_per_install", "warm_ns_per_install", "cold_installs_per_second",
                          "warm_installs_per_second", "pair_difference_ns",
                          "pair_difference_median_ns", "pairs", "pairs_warm_cheaper"}) {
    EXPECT_TRUE(row.contains(key)) << key;
  }
  EXPECT_THAT(outcome.out, HasSubstr("pair_difference_median_ns"));
}

TEST(Workloads, AnEmptyFillHasAnIntervalButNoCostAndNoPhase) {
  const TemporaryFolder folder;
  const Outcome outcome = run_small(folder, "register_fill", {"--slots", "512", "--fill", "0"});
  if (outcome.status == 5) {
    GTEST_SKIP() << outcome.err;
  }
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("fill       no installs"));
  const json point = point_in(folder);
  const json row = point.at("benchmarks").at(0);
  EXPECT_EQ(row.at("fill_operations"), 0);
  EXPECT_FALSE(row.contains("ns_per_install"));
  EXPECT_GT(row.at("ns_per_table"), 0);
  EXPECT_GT(row.at("interval_ns"), 0);
  EXPECT_EQ(point.at("context").at("msgring.workload.register_fill.phases"),
            "register:table,interval:round");
  EXPECT_EQ(run("msgring", {"check", "p.json"}, folder.path()).status, 0);
}

TEST(Workloads, AnIntervalThatIsAFigureOfItsOwnStandsBesideThePhases) {
  const TemporaryFolder folder;
  const Outcome outcome = run_small(folder, "refill,cache", {"--slots", "64", "--replicates", "2"});
  if (outcome.status == 5) {
    GTEST_SKIP() << outcome.err;
  }
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json context = point_in(folder).at("context");
  EXPECT_EQ(context.at("msgring.workload.refill.phases"),
            "remove:removal,fill:install,interval:round");
  EXPECT_EQ(context.at("msgring.workload.cache.phases"), "cold:install,warm:install");
  EXPECT_THAT(outcome.out, testing::ContainsRegex("interval   ns/round +[0-9]"));
  const Outcome shown = run("msgring", {"show", "p.json"}, folder.path());
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("interval"));
}

TEST(Workloads, EveryPhaseAndTheIntervalAreRowsOfAComparison) {
  const TemporaryFolder folder;
  std::vector<std::string> command{"compare", "--same-boot", "--format", "json"};
  for (const char* name : {"a1.json", "b.json", "a2.json"}) {
    const Outcome outcome =
        run("msgring_bench",
            {"--workload", "register_fill", "--slots", "128", "--fill", "64", "--rounds", "3",
             "--gap", "1ms", "--settle", "none", "--out", name},
            folder.path());
    if (outcome.status == 5) {
      GTEST_SKIP() << outcome.err;
    }
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    command.emplace_back(name);
  }
  const Outcome compared = run("msgring", command, folder.path());
  ASSERT_EQ(compared.status, 4) << "three points of one boot decide nothing: " << compared.err;
  const json comparison = json::parse(compared.out);
  std::vector<std::string> phases;
  for (const json& entry : comparison.at("comparisons")) {
    phases.push_back(entry.at("phase").get<std::string>());
  }
  EXPECT_THAT(phases, testing::ElementsAre("register", "fill", "interval"));
}

TEST(Tails, AreThereOnRequestWithTheirCost) {
  const TemporaryFolder folder;
  const Outcome outcome = run_small(folder, "first_fill", {"--tails"});
  if (outcome.status == 5) {
    GTEST_SKIP() << outcome.err;
  }
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              testing::ContainsRegex("two clock readings a batch add about [0-9.]+ ns"));
  const json row = point_in(folder).at("benchmarks").at(0);
  EXPECT_LE(row.at("fill_p50_ns"), row.at("fill_p90_ns"));
  EXPECT_LE(row.at("fill_p90_ns"), row.at("fill_p99_ns"));
  EXPECT_LE(row.at("fill_p99_ns"), row.at("fill_max_ns"));
}

TEST(Smoke, TriesEveryWorkload) {
  const TemporaryFolder folder;
  const Outcome outcome = run("msgring_bench", {"--smoke", "--workload", "all"}, folder.path());
  if (outcome.status == 5) {
    GTEST_SKIP() << outcome.err;
  }
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  for (const std::string& workload : listed_workloads()) {
    EXPECT_THAT(outcome.out, testing::AnyOf(HasSubstr("smoke    " + workload),
                                            HasSubstr("skipped  " + workload)));
  }
  EXPECT_TRUE(folder.names().empty());
}

TEST(Describe, ShowsOnlyWhatShapesAWorkload) {
  const TemporaryFolder folder;
  const Outcome outcome =
      run("msgring_bench", {"--describe", "--workload", "futex_rearm"}, folder.path());
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("operations    100000 a round"));
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("table ")));
}

}  // namespace
}  // namespace msgring::testing_cli
