// SPDX-License-Identifier: MIT
// What takes minutes: every cached kernel, a kernel against itself over seeds, a sweep to the
// limit, and two hypotheses of one kernel each.
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "aba_run.hpp"
#include "msgring/host/whole_file.hpp"
#include "vm_support.hpp"

namespace msgring::boot {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

TEST(EveryCachedKernel, BootsWithTheProgramAsItsWholeUserSpace) {
  MSGRING_NEED_KERNEL("7");
  for (const Kernel& kernel : KernelCache().list()) {
    ProbeDriver driver(kernel);
    const ProbeBoot boot = driver.boot(driver.request());
    ASSERT_TRUE(boot.result.has_value()) << kernel.release << ": " << boot.failure->what();
    const json facts = json::parse(boot.result->point_text);
    EXPECT_THAT(facts["version"].get<std::string>(), HasSubstr(kernel.release));
  }
}

/// The comparisons of a finished run.
json comparisons_in(const std::filesystem::path& run) {
  return json::parse(host::read_file(run / "report.json"))["comparisons"];
}

TEST_F(Aba, FindsNothingOverThreeSeedsWithinThreeTenthsOfAPercent) {
  const host::ProgramResult result = run({"--a", "7", "--b", "7."});
  EXPECT_EQ(result.end.exit_code, 0) << result.output << result.errors;
  const json comparison = comparisons_in(run_)[0];
  EXPECT_EQ(comparison["verdict"], "unchanged");
  for (const double bound : comparison["finding"]["interval_percent"]) {
    EXPECT_LT(std::abs(bound), 0.3);
  }
  // The machine has settled: nothing of booting is left that would cost a round 1.5 %.
  for (const char* side : {"baseline", "changed"}) {
    for (const json& boot : comparison[side]["boots"]) {
      EXPECT_LT(boot["max"].get<double>() / boot["median"].get<double>(), 1.015) << boot["label"];
    }
  }
}

TEST_F(Aba, SweepsToTheLimitOfTheTable) {
  const host::ProgramResult result = run({"--seeds", "1", "--memory", "1024", "--", "--slots",
                                          "4096,65536,1048576", "--rounds", "3", "--warmup", "1"});
  EXPECT_EQ(result.end.exit_code, 0) << result.output << result.errors;
  const json comparisons = comparisons_in(run_);
  ASSERT_EQ(comparisons.size(), 3U);
  for (const char* side : {"baseline", "changed"}) {
    const double first = comparisons[0][side]["mean"];
    for (const json& comparison : comparisons) {
      EXPECT_NEAR(comparison[side]["mean"].get<double>() / first, 1.0, 0.05) << side;
    }
  }
}

TEST_F(Aba, TellsWhichBootParameterMatters) {
  const host::ProgramResult result = run({"--a", "7", "--b", "7", "--b-append", "init_on_alloc=0",
                                          "--c", "7", "--c-append", "slab_nomerge"});
  EXPECT_EQ(result.end.exit_code, 0) << result.output << result.errors;
  const json comparisons = comparisons_in(run_);
  ASSERT_EQ(comparisons.size(), 2U);
  EXPECT_EQ(comparisons[0]["verdict"], "faster");
  EXPECT_EQ(comparisons[1]["verdict"], "unchanged");
}

}  // namespace
}  // namespace msgring::boot
