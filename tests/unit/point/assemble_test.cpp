// SPDX-License-Identifier: MIT
// A point file is strict JSON, says nothing untrue about units, and keeps failures visible.
#include "msgring/point/assemble.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "msgring/error.hpp"
#include "msgring/point/reader.hpp"

namespace msgring::point {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;

std::string reporter_text() {
  const std::ifstream file(MSGRING_TEST_DATA "/point/reporter-1.7.1.json");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

ordered_json assemble(host::Unit unit) {
  return ordered_json::parse(
      assemble_point(reporter_text(), {{"msgring.schema", "1"}, {"cpu.governor", "\xff"}}, unit));
}

TEST(Assemble, IsStrictJsonWithTheFactsBehindGoogleBenchmarksKeys) {
  const ordered_json point = assemble(host::Unit::kNanoseconds);
  EXPECT_EQ(point["context"].front(), "2026-11-30T20:51:37+00:00");
  EXPECT_EQ(point["context"]["msgring.schema"], "1");
  EXPECT_EQ(std::prev(point["context"].end()).key(), "cpu.governor");
  const ordered_json& row = point["benchmarks"][0];
  EXPECT_EQ(row.begin().key(), "name");
  EXPECT_EQ(row["real_time"], 420000.0);
  EXPECT_EQ(row["iterations"], 1);
  EXPECT_EQ(row["check.cqe_lost"], 0.0);
}

TEST(Assemble, DropsWhatWasNotRunAndKeepsWhatFailed) {
  std::vector<std::string> errors;
  const ordered_json point = assemble(host::Unit::kNanoseconds);
  for (const auto& row : point["benchmarks"]) {
    if (row.value("error_occurred", false)) {
      errors.push_back(row["error_message"]);
    }
  }
  // Two rounds of `broken` had non-finite counters, two of `failed` a failed check.
  EXPECT_THAT(errors,
              testing::ElementsAre("x is not a finite number", "x is not a finite number",
                                   "check.cqe_lost: 3 of 4096", "check.cqe_lost: 3 of 4096"));
}

TEST(Assemble, AggregatesHaveNoChecksAndNoNonFiniteNumbers) {
  int aggregates = 0;
  const ordered_json point = assemble(host::Unit::kNanoseconds);
  for (const auto& row : point["benchmarks"]) {
    if (row["run_type"] == "aggregate") {
      ++aggregates;
      for (const auto& item : row.items()) {
        EXPECT_FALSE(item.value().is_null()) << item.key();
        EXPECT_THAT(item.key(), testing::Not(HasSubstr("check.")));
      }
    }
  }
  EXPECT_EQ(aggregates, 8);
}

TEST(Assemble, AnEmulatedCountIsNeverCalledTime) {
  const ordered_json point = assemble(host::Unit::kInstructions);
  for (const auto& row : point["benchmarks"]) {
    if (row.contains("time_unit")) {
      EXPECT_EQ(row["time_unit"], "instructions");
      EXPECT_EQ(row["cpu_time"], 0.0);
    }
  }
  EXPECT_EQ(parse_point(point.dump(), "p.json").unit, host::Unit::kInstructions);
}

TEST(Assemble, RefusesWhatItCannotKeepWhole) {
  EXPECT_THROW(assemble_point("{", {}, host::Unit::kNanoseconds), Error);
  EXPECT_THROW(assemble_point("{}", {}, host::Unit::kNanoseconds), Error);
  EXPECT_THROW(assemble_point(reporter_text(), {{"date", "x"}}, host::Unit::kNanoseconds), Error);
}

}  // namespace
}  // namespace msgring::point
