// SPDX-License-Identifier: MIT
// What reaches a running program from outside: SIGINT and SIGTERM keep whole rounds and name them,
// nothing is half written; a task that is moved to another CPU fails its check.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

#include "command.hpp"

namespace msgring::testing_cli {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

TEST(Signals, TheRoundsSoFarAreKeptAndThePointSaysSo) {
  const TemporaryFolder folder;
  const Outcome outcome = run(
      "msgring_bench",
      {"--slots", "64", "--rounds", "1000", "--gap", "20ms", "--settle", "none", "--out", "p.json"},
      folder.path(), signal_after(1500ms, SIGINT));
  if (outcome.status == 5) {
    GTEST_SKIP() << outcome.err;
  }
  EXPECT_EQ(outcome.status, 130) << outcome.err;
  EXPECT_THAT(outcome.out + outcome.err, testing::ContainsRegex("of 1000 rounds: SIGINT"));
  const nlohmann::json point = nlohmann::json::parse(text_of(folder.path() / "p.json"));
  EXPECT_THAT(point.at("context").at("msgring.complete").get<std::string>(),
              testing::ContainsRegex("^no \\([0-9]+ of 1000 rounds"));
  std::size_t rows = 0;
  for (const auto& row : point.at("benchmarks")) {
    EXPECT_FALSE(row.contains("error_occurred")) << row;
    rows += row.at("run_type") == "iteration" ? 1U : 0U;
  }
  EXPECT_GT(rows, 0U);
  EXPECT_LT(rows, 1000U);
}

TEST(Migration, AMovedTaskFailsTheRunAndItsRoundIsNoSample) {
  const long cpus = ::sysconf(_SC_NPROCESSORS_ONLN);
  if (cpus < 2) {
    GTEST_SKIP() << "one CPU: there is none to move to";
  }
  const TemporaryFolder folder;
  const auto move = [](pid_t child) {
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(0, &only);
    ASSERT_EQ(::sched_setaffinity(child, sizeof(only), &only), 0);
  };
  const Outcome outcome = run("msgring_bench",
                              {"--slots", "64", "--rounds", "1000", "--gap", "20ms", "--settle",
                               "none", "--cpu", "1", "--out", "p.json"},
                              folder.path(), {1500ms, move});
  if (outcome.status == 5) {
    GTEST_SKIP() << outcome.err;
  }
  EXPECT_EQ(outcome.status, 3) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("cpu_migrated 1x (first: pinned to CPU 1, began on 0"));
  const nlohmann::json point = nlohmann::json::parse(text_of(folder.path() / "p.json"));
  EXPECT_THAT(point.at("context").at("msgring.checks").get<std::string>(),
              testing::StartsWith("failed (first_fill/slots:64/batch:64: cpu_migrated"));
  std::size_t failed = 0;
  for (const auto& row : point.at("benchmarks")) {
    if (row.contains("error_occurred")) {
      ++failed;
      EXPECT_FALSE(row.contains("fill_ns"));
    }
  }
  EXPECT_EQ(failed, 1U);
}

TEST(Signals, BeforeTheFirstRoundNothingIsKept) {
  const TemporaryFolder folder;
  const Outcome outcome =
      run("msgring_bench", {"--slots", "64", "--settle", "30", "--out", "p.json"}, folder.path(),
          signal_after(1000ms, SIGTERM));
  if (outcome.status == 5) {
    GTEST_SKIP() << outcome.err;
  }
  EXPECT_EQ(outcome.status, 130) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("SIGTERM before the first round: nothing was kept"));
  EXPECT_TRUE(folder.names().empty());
}

}  // namespace
}  // namespace msgring::testing_cli
