// SPDX-License-Identifier: MIT
// scripts/lava/report-point says each phase of a point as LAVA reads it, and no number of a failed
// round.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "command.hpp"

namespace msgring::testing_cli {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kPython = "/usr/bin/python3";

class LavaReport : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kPython)) {
      GTEST_SKIP() << "no " << kPython << ": apt-get install python3-minimal";
    }
  }

  /// A point with one benchmark: a mean row, and one round with `more` in it.
  Outcome report(const std::string& more, const std::string& unit = "ns") const {
    std::ofstream(folder_.path() / "p.json")
        << R"({"context": {"msgring.unit": ")" << unit
        << R"(", "msgring.workload.refill.phases": "remove:removal fill:install"}, "benchmarks": [
           {"run_name": "refill/slots:8/batch:4/iterations:1/repeats:2", "run_type": "iteration")"
        << more << R"(},
           {"run_name": "refill/slots:8/batch:4/iterations:1/repeats:2", "aggregate_name": "mean",
            "fill_ns": 1000.0, "fill_operations": 8.0, "remove_ns": 36.0, "remove_operations": 8.0,
            "interval_ns": 1036.0}]})";
    return run(kPython, {std::string(MSGRING_SOURCE_DIR) + "/scripts/lava/report-point", "p.json"},
               folder_.path());
  }

  TemporaryFolder folder_;
};

TEST_F(LavaReport, GivesEveryPhaseItsMeasurementAndUnit) {
  const Outcome outcome = report("");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  // 1000 ns / 8 installs, 36 ns / 8 removals; the interval has no operation of its own.
  EXPECT_EQ(outcome.out,
            "lava-test-case refill_slots_8_batch_4_fill --result pass --measurement 125.000000 "
            "--units ns/install\n"
            "lava-test-case refill_slots_8_batch_4_remove --result pass --measurement 4.500000 "
            "--units ns/removal\n");
}

TEST_F(LavaReport, GivesNoNumberOfAFailedBenchmark) {
  const Outcome outcome = report(R"(, "error_occurred": true)");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "lava-test-case refill_slots_8_batch_4 --result fail\n");
}

TEST_F(LavaReport, RefusesInstructions) {
  const Outcome outcome = report("", "instructions");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("unit instructions"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("measurement")));
}

}  // namespace
}  // namespace msgring::testing_cli
