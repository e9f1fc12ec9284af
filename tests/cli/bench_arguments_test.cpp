// SPDX-License-Identifier: MIT
// Bad command lines end with one clear line, the right status, and no file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "command.hpp"

namespace msgring::testing_cli {
namespace {

using testing::HasSubstr;

struct BadLine {
  const char* name;
  std::vector<std::string> arguments;
  const char* says;
  friend void PrintTo(const BadLine& line, std::ostream* out) { *out << line.name; }
};

class UsageError : public testing::TestWithParam<BadLine> {};

TEST_P(UsageError, EndsWithStatus2OneLineAndNoFile) {
  const TemporaryFolder folder;
  const Outcome outcome = run("msgring_bench", GetParam().arguments, folder.path());
  EXPECT_EQ(outcome.status, 2) << outcome.err;
  EXPECT_EQ(lines_of(outcome.err), 1U) << outcome.err;
  EXPECT_THAT(outcome.err, testing::StartsWith("msgring_bench: error: "));
  EXPECT_THAT(outcome.err, HasSubstr(GetParam().says));
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(folder.names().empty());
}

INSTANTIATE_TEST_SUITE_P(
    Values, UsageError,
    testing::Values(
        BadLine{"slots_zero", {"--slots", "0"}, "from 1 to 1048576"},
        BadLine{"slots_above_the_kernels_cap", {"--slots", "1048577"}, "from 1 to 1048576"},
        BadLine{"slots_overflow", {"--slots", "99999999999999999999"}, "from 1 to 1048576"},
        BadLine{"slots_in_a_list", {"--slots", "64,x"}, "'x' is not a whole number"},
        BadLine{"slots_twice", {"--slots", "64,64"}, "64 is given twice"},
        BadLine{"batch_negative", {"--batch", "-1"}, "from 1 to 32768"},
        BadLine{"batch_fraction", {"--batch", "1.5"}, "from 1 to 32768"},
        BadLine{"batch_too_large", {"--batch", "32769"}, "from 1 to 32768"},
        BadLine{"rounds_zero", {"--rounds", "0"}, "from 1 to 100000"},
        BadLine{"gap_without_unit", {"--gap", "50"}, "is not a duration"},
        BadLine{"gap_negative", {"--gap", "-5ms"}, "is not a duration"},
        BadLine{"settle_word", {"--settle", "maybe"}, "give auto, none, or 0 to 3600"},
        BadLine{"settle_negative", {"--settle", "-1"}, "give auto, none, or 0 to 3600"},
        BadLine{"clock_unknown", {"--clock", "sundial"}, "monotonic_raw|tsc"},
        BadLine{"setup_unknown", {"--source-setup", "fast"}, "default|defer_taskrun|single_issuer"},
        BadLine{"cpu_negative", {"--cpu", "-1"}, "--cpu"},
        BadLine{"workload_unknown", {"--workload", "first_fil"}, "did you mean first_fill?"},
        BadLine{"workload_far_off", {"--workload", "futex"}, "did you mean futex_rearm?"},
        BadLine{"workload_twice", {"--workload", "cache,cache"}, "cache is given twice"},
        BadLine{"workload_and_all", {"--workload", "all,cache"}, "cache is given twice"},
        BadLine{"fill_above_slots",
                {"--workload", "refill", "--slots", "64", "--fill", "65"},
                "--fill 65: more than the 64 slots of refill"},
        BadLine{"fill_above_one_of_the_slots",
                {"--workload", "refill", "--slots", "128,64", "--fill", "65"},
                "more than the 64 slots"},
        BadLine{"fill_negative", {"--workload", "refill", "--fill", "-1"}, "from 0 to 1048576"},
        BadLine{"ops_zero", {"--workload", "futex_rearm", "--ops", "0"}, "from 1 to 16777216"},
        BadLine{"replicates_one", {"--workload", "cache", "--replicates", "1"}, "from 2 to 4096"},
        BadLine{"too_many_buffers",
                {"--workload", "buffer_update", "--slots", "16385"},
                "holds at most 16384"},
        BadLine{"out_empty", {"--out", ""}, "--out"}),
    [](const auto& line) { return line.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Lines, UsageError,
    testing::Values(
        BadLine{"unknown_option", {"--slot", "64"}, "--slot"},
        BadLine{"stray_word", {"4096"}, "4096"}, BadLine{"missing_value", {"--slots"}, "--slots"},
        BadLine{"two_tasks", {"--smoke", "--describe"}, "more than one of"},
        BadLine{"smoke_with_a_file", {"--smoke", "--out", "x.json"}, "--smoke measures nothing"},
        BadLine{
            "fill_without_its_workload", {"--fill", "64"}, "--fill: without effect on first_fill"},
        BadLine{"ops_without_its_workload", {"--ops", "64"}, "it goes with file_update"},
        BadLine{"slots_without_a_table",
                {"--workload", "futex_rearm,message_data", "--slots", "64"},
                "--slots: without effect on futex_rearm, message_data"},
        BadLine{"mode_without_its_workload",
                {"--workload", "replace", "--slot-mode", "alloc"},
                "--slot-mode: without effect on replace"},
        BadLine{"repetitions", {"--benchmark_repetitions=3"}, "use --rounds"},
        BadLine{
            "aggregates_only", {"--benchmark_report_aggregates_only=true"}, "one row per round"},
        BadLine{"unknown_library_flag", {"--benchmark_nonsense=1"}, "Google Benchmark"},
        BadLine{"no_such_cpu", {"--cpu", "999"}, "999"}),
    [](const auto& line) { return line.param.name; });

TEST(Help, NamesEveryOptionAndTheExitStatuses) {
  const TemporaryFolder folder;
  const Outcome outcome = run("msgring_bench", {"--help"}, folder.path());
  EXPECT_EQ(outcome.status, 0);
  for (const char* option :
       {"--slots",  "--batch",    "--rounds",       "--warmup",       "--cpu",        "--gap",
        "--settle", "--clock",    "--source-setup", "--target-setup", "--slot-mode",  "--cqe-skip",
        "--out",    "--force",    "--rounds-table", "--describe",     "--smoke",      "--version",
        "--list",   "--workload", "--fill",         "--ops",          "--replicates", "--tails"}) {
    EXPECT_THAT(outcome.out, HasSubstr(option));
  }
  EXPECT_THAT(outcome.out, HasSubstr("Exit: 0 measured, 2 usage"));
}

TEST(Version, NamesTheLibraries) {
  const TemporaryFolder folder;
  const Outcome outcome = run("msgring_bench", {"--version"}, folder.path());
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, testing::ContainsRegex("liburing [0-9]+\\.[0-9]+"));
  EXPECT_THAT(outcome.out, testing::ContainsRegex("Google Benchmark [0-9]+\\.[0-9]+"));
}

TEST(List, NamesEachWorkloadWithPhasesAndKernel) {
  const TemporaryFolder folder;
  const Outcome outcome = run("msgring_bench", {"--list"}, folder.path());
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("first_fill"));
  EXPECT_THAT(outcome.out, HasSubstr("phases fill:install; Linux 6.0 or newer"));
  EXPECT_THAT(outcome.out, HasSubstr("options --slots 4096 --batch 64 --slot-mode"));
  EXPECT_THAT(outcome.out, HasSubstr("futex_rearm"));
  EXPECT_THAT(outcome.out, HasSubstr("phases rearm:rearm; Linux 6.7 or newer"));
  EXPECT_THAT(outcome.out, HasSubstr("options --batch 64 --ops 100000 --source-setup"));
}

TEST(Describe, SaysThePlanAndTouchesNothing) {
  const TemporaryFolder folder;
  const Outcome outcome =
      run("msgring_bench", {"--describe", "--slots", "64,128", "--batch", "32", "--out", "p.json"},
          folder.path());
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("64 slots"));
  EXPECT_THAT(outcome.out, HasSubstr("128 slots"));
  EXPECT_THAT(outcome.out, HasSubstr("32 SQEs per io_uring_enter"));
  EXPECT_THAT(outcome.out, HasSubstr("p.json (must not exist)"));
  EXPECT_THAT(outcome.out, HasSubstr("Nothing was done."));
  EXPECT_TRUE(folder.names().empty());
}

// 50 ms, or 3 us for each slot: 1,048,576 * 3 us = 3,145.728 ms.
TEST(Gap, GrowsWithTheTableThatIsTornDown) {
  const TemporaryFolder folder;
  const Outcome sizes =
      run("msgring_bench", {"--describe", "--slots", "64,4096,1048576"}, folder.path());
  EXPECT_THAT(sizes.out, HasSubstr("a gap of 50 or 3145.728 ms before each"));
  const Outcome asked =
      run("msgring_bench", {"--describe", "--slots", "64,1048576", "--gap", "1s"}, folder.path());
  EXPECT_THAT(asked.out, HasSubstr("a gap of 1000 ms before each"));
}

}  // namespace
}  // namespace msgring::testing_cli
