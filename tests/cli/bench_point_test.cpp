// SPDX-License-Identifier: MIT
// A run leaves one whole, strict point file, and never touches one that is there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "command.hpp"

namespace msgring::testing_cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// Skips where the kernel does not let msgring measure, with its own words.
#define MSGRING_NEEDS_A_MEASURING_KERNEL()                                \
  {                                                                       \
    const TemporaryFolder here;                                           \
    const Outcome trial = run("msgring_bench", {"--smoke"}, here.path()); \
    if (trial.status == 5) {                                              \
      GTEST_SKIP() << trial.err;                                          \
    }                                                                     \
    ASSERT_EQ(trial.status, 0) << trial.err;                              \
  }

std::vector<std::string> quick(std::vector<std::string> more) {
  std::vector<std::string> arguments{"--slots", "128",   "--rounds", "3",        "--warmup",
                                     "1",       "--gap", "1ms",      "--settle", "none"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

std::size_t iteration_rows(const json& point) {
  std::size_t count = 0;
  for (const json& row : point.at("benchmarks")) {
    count += row.at("run_type") == "iteration" ? 1U : 0U;
  }
  return count;
}

TEST(Smoke, RunsAllChecksAndWritesNothing) {
  MSGRING_NEEDS_A_MEASURING_KERNEL();
  const TemporaryFolder folder;
  const Outcome outcome = run("msgring_bench", {"--smoke"}, folder.path());
  EXPECT_THAT(outcome.out, HasSubstr("256 installs"));
  EXPECT_THAT(outcome.out, HasSubstr("all checks passed"));
  EXPECT_TRUE(folder.names().empty());
}

TEST(PointFile, IsStrictJsonWithARowPerRoundAndTheAggregates) {
  MSGRING_NEEDS_A_MEASURING_KERNEL();
  const TemporaryFolder folder;
  const Outcome outcome = run("msgring_bench", quick({"--out", "p.json"}), folder.path());
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(folder.names(), std::vector<std::string>{"p.json"});
  const std::string text = text_of(folder.path() / "p.json");
  const json point = json::parse(text);  // strict: NaN and Infinity throw
  EXPECT_EQ(text.find("NaN"), std::string::npos);
  EXPECT_EQ(iteration_rows(point), 3U);
  std::set<std::string> aggregates;
  for (const json& row : point.at("benchmarks")) {
    EXPECT_THAT(row.at("run_name").get<std::string>(),
                testing::StartsWith("first_fill/slots:128/batch:64/"));
    if (row.at("run_type") == "aggregate") {
      aggregates.insert(row.at("aggregate_name").get<std::string>());
    }
  }
  EXPECT_THAT(aggregates, testing::ElementsAre("cv", "mean", "median", "stddev"));
}

TEST(PointFile, EveryRoundCarriesItsPhasesAndItsChecks) {
  MSGRING_NEEDS_A_MEASURING_KERNEL();
  const TemporaryFolder folder;
  ASSERT_EQ(run("msgring_bench", quick({"--out", "p.json"}), folder.path()).status, 0);
  const json point = json::parse(text_of(folder.path() / "p.json"));
  int round = 0;
  for (const json& row : point.at("benchmarks")) {
    if (row.at("run_type") != "iteration") {
      continue;
    }
    EXPECT_EQ(row.at("round"), round++);
    EXPECT_EQ(row.at("fill_operations"), 128);
    EXPECT_GT(row.at("fill_ns"), 0);
    EXPECT_GE(row.at("interval_ns"), row.at("fill_ns"));
    EXPECT_NEAR(row.at("ns_per_install").get<double>() * 128, row.at("fill_ns").get<double>(),
                1e-6);
    EXPECT_NEAR(row.at("real_time").get<double>(), row.at("interval_ns").get<double>(), 1e-3);
    EXPECT_GT(row.at("installs_per_second"), 0);
    std::size_t checks = 0;
    for (const auto& [key, value] : row.items()) {
      if (key.starts_with("check.")) {
        ++checks;
        EXPECT_EQ(value, 0) << key;
      }
    }
    EXPECT_EQ(checks, 23U);  // every kind of Check has its counter
  }
  EXPECT_EQ(round, 3);
}

TEST(PointFile, NamesMachineRunAndLibraries) {
  MSGRING_NEEDS_A_MEASURING_KERNEL();
  const TemporaryFolder folder;
  ASSERT_EQ(run("msgring_bench", quick({"--out", "p.json"}), folder.path()).status, 0);
  const json context = json::parse(text_of(folder.path() / "p.json")).at("context");
  for (const char* key : {"msgring.schema",
                          "msgring.version",
                          "msgring.clock",
                          "msgring.unit",
                          "msgring.arguments",
                          "msgring.binary_sha256",
                          "msgring.settled",
                          "msgring.complete",
                          "msgring.checks",
                          "msgring.workload.first_fill.phases",
                          "msgring.workload.first_fill.source_setup_flags",
                          "msgring.workload.first_fill.target_reports_slot",
                          "kernel.release",
                          "kernel.boot_id",
                          "kernel.build_id",
                          "kernel.preempt_mode",
                          "kernel.cmdline",
                          "kernel.config_sha256",
                          "cpu.model",
                          "cpu.pinned",
                          "cpu.governor",
                          "cpu.clocksource",
                          "memory.page_bytes",
                          "limits.nofile_soft",
                          "virt.hypervisor",
                          "build.compiler",
                          "lib.liburing",
                          "lib.benchmark"}) {
    ASSERT_TRUE(context.contains(key)) << key;
    EXPECT_FALSE(context.at(key).get<std::string>().empty()) << key;
  }
  EXPECT_EQ(context.at("msgring.unit"), "ns");
  EXPECT_EQ(context.at("msgring.complete"), "yes");
  EXPECT_EQ(context.at("msgring.checks"), "passed");
  EXPECT_EQ(context.at("kernel.boot_id").get<std::string>() + "\n",
            text_of("/proc/sys/kernel/random/boot_id"));
}

TEST(PointFile, AListOfSlotsGivesOneBenchmarkEach) {
  MSGRING_NEEDS_A_MEASURING_KERNEL();
  const TemporaryFolder folder;
  const Outcome outcome =
      run("msgring_bench", {"--slots", "1,64,65", "--rounds", "2", "--gap", "0", "--out", "p.json"},
          folder.path());
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json point = json::parse(text_of(folder.path() / "p.json"));
  std::set<std::string> names;
  for (const json& row : point.at("benchmarks")) {
    names.insert(row.at("run_name").get<std::string>());
  }
  EXPECT_EQ(names.size(), 3U);
  EXPECT_EQ(iteration_rows(point), 6U);
}

TEST(PointFile, GoesToStandardOutputAloneWhenAsked) {
  MSGRING_NEEDS_A_MEASURING_KERNEL();
  const TemporaryFolder folder;
  const Outcome outcome = run("msgring_bench", quick({"--out", "-"}), folder.path());
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(iteration_rows(json::parse(outcome.out)), 3U);
  EXPECT_THAT(outcome.err, HasSubstr("all passed"));
  EXPECT_TRUE(folder.names().empty());
}

TEST(PointFile, AnExistingFileIsRefusedBeforeTheFirstRoundAndKept) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "p.json") << "precious";
  const Outcome outcome = run("msgring_bench", quick({"--out", "p.json"}), folder.path());
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(lines_of(outcome.err), 1U) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("p.json"));
  EXPECT_THAT(outcome.err, HasSubstr("--force"));
  EXPECT_EQ(text_of(folder.path() / "p.json"), "precious");
}

TEST(PointFile, ForceReplacesIt) {
  MSGRING_NEEDS_A_MEASURING_KERNEL();
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "p.json") << "old";
  ASSERT_EQ(run("msgring_bench", quick({"--out", "p.json", "--force"}), folder.path()).status, 0);
  EXPECT_EQ(iteration_rows(json::parse(text_of(folder.path() / "p.json"))), 3U);
}

TEST(PointFile, AFolderThatCannotTakeItIsFoundBeforeTheFirstRound) {
  const TemporaryFolder folder;
  const Outcome outcome = run("msgring_bench", quick({"--out", "/proc/x"}), folder.path());
  EXPECT_EQ(outcome.status, 5);
  EXPECT_EQ(lines_of(outcome.err), 1U) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("/proc/x"));
  EXPECT_EQ(outcome.out, "");
}

TEST(Limits, ATableAboveTheHardDescriptorLimitNamesSlotsSoftAndHard) {
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
  if (limit.rlim_max >= 1'048'576) {
    GTEST_SKIP() << "the hard descriptor limit (" << limit.rlim_max << ") allows every table";
  }
  const TemporaryFolder folder;
  const Outcome outcome =
      run("msgring_bench", {"--slots", "1048576", "--out", "p.json"}, folder.path());
  EXPECT_EQ(outcome.status, 5);
  EXPECT_EQ(lines_of(outcome.err), 1U) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("1048576"));
  EXPECT_THAT(outcome.err, HasSubstr("soft"));
  EXPECT_THAT(outcome.err, HasSubstr(std::to_string(limit.rlim_max)));
  EXPECT_TRUE(folder.names().empty());
}

TEST(Memory, PeakGrowsByAtMost100BytesPerSlot) {
  MSGRING_NEEDS_A_MEASURING_KERNEL();
  const TemporaryFolder folder;
  const auto peak_kib = [&](const std::string& slots) {
    const Outcome outcome =
        run("msgring_bench", {"--slots", slots, "--rounds", "5", "--gap", "0", "--out", "-"},
            folder.path());
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.peak_kib;
  };
  // 16384 - 64 = 16320 slots at 100 bytes are 1593 KiB.
  EXPECT_LE(peak_kib("16384") - peak_kib("64"), 1593);
}

TEST(Clock, TscIsRefusedWhereItCountsNoInstructions) {
  const TemporaryFolder folder;
  const Outcome outcome =
      run("msgring_bench", quick({"--clock", "tsc", "--out", "p.json"}), folder.path());
  if (outcome.status == 0) {
    GTEST_SKIP() << "this machine's time-stamp counter counts instructions";
  }
  EXPECT_EQ(outcome.status, 5);
  EXPECT_THAT(outcome.err, HasSubstr("does not count instructions here"));
  EXPECT_TRUE(folder.names().empty());
}

TEST(Library, ItsOwnFlagsStillWork) {
  MSGRING_NEEDS_A_MEASURING_KERNEL();
  const TemporaryFolder folder;
  const Outcome listed =
      run("msgring_bench", {"--benchmark_list_tests=true", "--slots", "64"}, folder.path());
  EXPECT_EQ(listed.status, 0);
  EXPECT_THAT(listed.out, HasSubstr("first_fill/slots:64/batch:64"));
  const Outcome raw = run("msgring_bench",
                          quick({"--benchmark_out=raw.json", "--benchmark_context=who=me",
                                 "--benchmark_format=csv", "--out", "p.json"}),
                          folder.path());
  EXPECT_EQ(raw.status, 0) << raw.err;
  EXPECT_THAT(raw.out, HasSubstr("name,iterations,real_time"));
  EXPECT_EQ(json::parse(text_of(folder.path() / "p.json")).at("context").at("who"), "me");
  EXPECT_FALSE(text_of(folder.path() / "raw.json").empty());
  const Outcome none =
      run("msgring_bench", quick({"--benchmark_filter=nothing", "--out", "q.json"}), folder.path());
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(folder.names(), testing::ElementsAre("p.json", "raw.json"));
}

}  // namespace
}  // namespace msgring::testing_cli
