// SPDX-License-Identifier: MIT
// What a point file says is what the Point holds.
#include "msgring/point/reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "msgring/error.hpp"
#include "point/run_name.hpp"

namespace msgring::point {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

Point parse_rows(const std::string& rows) {
  return parse_point(R"({"context": {"date": "d"}, "benchmarks": [)" + rows + "]}", "p.json");
}

TEST(RunName, DecorationsAreNoParameters) {
  const RunName run =
      parse_run_name("first_fill/slots:4096/batch:64/iterations:1/repeats:15/manual_time");
  EXPECT_EQ(run.workload, "first_fill");
  EXPECT_THAT(run.parameters.items(),
              ElementsAre(std::pair("slots", "4096"), std::pair("batch", "64")));
  EXPECT_TRUE(run.manual_time);
}

TEST(RunName, ForeignArgumentsStayInTheName) {
  const RunName run = parse_run_name("BM_copy/64/threads:2/real_time");
  EXPECT_EQ(run.workload, "BM_copy/64");
  EXPECT_THAT(run.parameters.items(), SizeIs(0));
  EXPECT_FALSE(run.manual_time);
}

TEST(Reader, ReadsWhatTheReporterPrinted) {
  const Point point = read_points(MSGRING_TEST_DATA "/point/reporter-1.7.1.json").front();
  EXPECT_EQ(point.label, "reporter-1.7.1");
  EXPECT_EQ(point.unit, host::Unit::kNanoseconds);
  EXPECT_EQ(point.context.get("library_build_type"), "debug");
  EXPECT_EQ(point.context.get("foo"), "bar");
  EXPECT_EQ(point.context.get("load_avg"), "[2.61768,1.22998,0.543457]");
  ASSERT_THAT(point.rows, SizeIs(9));
  EXPECT_EQ(point.aggregate_rows, 8U);
  const Row& third = point.rows[2];
  EXPECT_EQ(title_of(third), "first_fill slots:4096 batch:64");
  EXPECT_EQ(third.repetition, 2);
  EXPECT_EQ(third.line, 90U);
  EXPECT_DOUBLE_EQ(third.real_time, 420020.0);
  EXPECT_DOUBLE_EQ(third.counters.at("ns_per_install"), 102.54394531250000);
  // 420020 ns / 4096 installs
  EXPECT_DOUBLE_EQ(*cost_per_operation(third, {"fill", "install"}), 102.5439453125);
}

TEST(Reader, NonFiniteNumbersMakeTheirRowInvalid) {
  const Point point = read_points(MSGRING_TEST_DATA "/point/reporter-1.7.1.json").front();
  const Row& broken = point.rows[3];
  EXPECT_EQ(broken.workload, "broken");
  EXPECT_FALSE(broken.valid);
  EXPECT_EQ(broken.why, "x is NaN");
  EXPECT_FALSE(broken.counters.contains("y"));
  const Point other = parse_rows(R"({"name": "a", "real_time": -Infinity},
                                    {"name": "NaN", "real_time": 1})");
  EXPECT_EQ(other.rows[0].why, "real_time is -Infinity");
  EXPECT_TRUE(other.rows[1].valid) << "NaN inside a string is a name";
}

TEST(Reader, FailedRowsAreNeverSamples) {
  const Point point = read_points(MSGRING_TEST_DATA "/point/reporter-1.7.1.json").front();
  EXPECT_EQ(point.rows[7].why, "check.cqe_lost: 3 of 4096");
  EXPECT_FALSE(point.rows[7].valid);
  const Point skipped = parse_rows(R"({"name": "a", "skipped": true, "skip_message": "no ring"})");
  EXPECT_EQ(skipped.rows[0].why, "skipped: no ring");
}

TEST(Reader, RowsWithoutAnIndexAreNumberedPerRunName) {
  const Point point = parse_rows(R"({"name": "a", "real_time": 1}, {"name": "b", "real_time": 1},
      {"name": "a_mean", "run_name": "a", "run_type": "aggregate", "real_time": 1},
      {"name": "a", "real_time": 2})");
  ASSERT_THAT(point.rows, SizeIs(3));
  EXPECT_EQ(point.rows[1].repetition, 0);
  EXPECT_EQ(point.rows[2].repetition, 1);
}

TEST(Reader, CountsAre64Bit) {
  const Point point = parse_rows(R"({"name": "a", "iterations": 1000000000001, "real_time": 1},
                    {"name": "b", "iterations": 9007199254740993, "real_time": 1})");
  EXPECT_EQ(point.rows[0].iterations, 1'000'000'000'001U);
  EXPECT_EQ(point.rows[1].iterations, 9'007'199'254'740'993U) << "2^53 + 1 is no double";
}

TEST(Reader, TimesAreInThePointsUnit) {
  const Point point = parse_rows(R"({"name": "a", "real_time": 1.5, "time_unit": "us"})");
  EXPECT_DOUBLE_EQ(point.rows[0].real_time, 1500.0);
  const Point counted = parse_rows(R"({"name": "a", "real_time": 7, "time_unit": "instructions"})");
  EXPECT_EQ(counted.unit, host::Unit::kInstructions);
}

TEST(Reader, PhasesComeFromTheContext) {
  const Point point = parse_point(
      R"({"context": {"msgring.workload.register_fill.phases":
          "register:registration,fill:install,interval:round"},
          "benchmarks": [{"name": "register_fill/slots:8", "real_time": 1, "time_unit": "ns",
          "register_ns": 30, "register_operations": 1, "fill_ns": 80, "fill_operations": 0,
          "interval_ns": 111}]})",
      "p.json");
  const auto phases = phases_of(point, "register_fill");
  ASSERT_THAT(phases, ElementsAre(Phase{"register", "registration"}, Phase{"fill", "install"},
                                  Phase{"interval", "round"}));
  EXPECT_EQ(cost_per_operation(point.rows[0], phases[0]), 30.0);
  EXPECT_EQ(cost_per_operation(point.rows[0], phases[1]), std::nullopt) << "no operation, no cost";
  EXPECT_EQ(cost_per_operation(point.rows[0], phases[2]), 111.0);
  EXPECT_THAT(phases_of(point, "BM_foreign"), ElementsAre(Phase{"time", "iteration"}));
}

TEST(Reader, ImportsTheReportersTable) {
  const auto points = read_points(MSGRING_TEST_DATA "/tsv/measured-rounds.tsv");
  ASSERT_THAT(points, SizeIs(3));
  EXPECT_EQ(points[0].label, "parent-a");
  EXPECT_EQ(points[1].label, "child");
  EXPECT_EQ(points[2].label, "parent-b");
  EXPECT_EQ(points[1].origin, Origin::kImportedTsv);
  ASSERT_THAT(points[1].rows, SizeIs(15));
  // 468911 ns / 4096 installs = 114.480225 ns
  EXPECT_NEAR(*cost_per_operation(points[1].rows[0], {"fill", "install"}), 114.480225, 5e-7);
  EXPECT_EQ(points[1].rows[0].line, 17U);
}

TEST(Reader, TableNamesColumnsItDoesNotUse) {
  const auto points = parse_tsv(
      "cpu\tpoint\tround\telapsed_ns\tns_per_install\tsemantic_pass\tnote\n"
      "2\ta\t0\t4096\t1\t0\thi\n",
      "p.tsv");
  EXPECT_EQ(points[0].context.get("import.other_columns"), "note");
  EXPECT_FALSE(points[0].rows[0].valid);
  EXPECT_THAT(points[0].rows[0].why, HasSubstr("semantic_pass"));
}

TEST(Reader, MissingFileIsBadInput) {
  try {
    read_points("/nonexistent/p.json");
    FAIL() << "read a file that does not exist";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), ExitStatus::kInvalid);
    EXPECT_THAT(error.what(), HasSubstr("/nonexistent/p.json: cannot be read: No such file"));
  }
}

TEST(Reader, ARowWhoseTimesDisagreeIsNoSample) {
  // 5 us are 5,000 ns, and the harness measured 5.
  const Point point =
      parse_point(R"({"context": {}, "benchmarks": [)"
                  R"({"name": "a", "real_time": 5, "time_unit": "us", "interval_ns": 5},)"
                  R"({"name": "a", "real_time": 5, "time_unit": "ns", "interval_ns": 5}]})",
                  "p.json");
  EXPECT_FALSE(point.rows[0].valid);
  EXPECT_EQ(point.rows[0].why, "real_time is 5000 ns, but interval_ns is 5");
  EXPECT_TRUE(point.rows[1].valid);
}

}  // namespace
}  // namespace msgring::point
