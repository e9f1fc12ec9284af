// SPDX-License-Identifier: MIT
// explain and trace from the command line, on real kernels in boots of their own.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "msgring/host/process.hpp"
#include "msgring/host/temporary_folder.hpp"
#include "msgring/profile/profile.hpp"
#include "vm_support.hpp"

namespace msgring::boot {
namespace {

using ::testing::HasSubstr;

class Attribution : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* version : {"6.12", "7"}) {
      if (const std::string missing = missing_for(version); !missing.empty()) {
        GTEST_SKIP() << missing;
      }
    }
  }

  /// Runs msgring in a folder of its own.
  host::ProgramResult run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), MSGRING_BUILD_DIR "/msgring");
    return host::run_program(arguments, std::chrono::minutes(9), {}, folder_.path());
  }

  host::TemporaryFolder folder_{"msgring-attribution"};
};

TEST_F(Attribution, NamesTheAllocationThatTheNewerKernelMakes) {
  const host::ProgramResult result = run({"explain", "--a", "6.12", "--b", "7", "--slots", "512",
                                          "--rounds", "3", "--warmup", "1", "--keep", "kept"});
  ASSERT_EQ(result.end.exit_code, 0) << result.errors;
  const std::size_t table = result.output.find("\nfunction ");
  ASSERT_NE(table, std::string::npos);
  const std::size_t first_row = result.output.find('\n', table + 1) + 1;
  EXPECT_EQ(result.output.substr(first_row, 25), "__kmalloc_noprof (only B)");
  // Only the clock's own instructions, about a dozen a round, are between it and the profile.
  for (const char* name : {"kept-a.profile", "kept-b.profile"}) {
    const profile::Profile profile = profile::read_profile(folder_.path() / name);
    const profile::PhaseProfile& phase = profile.phases.at(0);
    EXPECT_GT(phase.clock_instructions, phase.instructions());
    EXPECT_LE(phase.clock_instructions - phase.instructions(), 3U * 20U);
  }
}

// A node that a filled table gave back is taken again: nothing is allocated for it.
TEST_F(Attribution, ShowsThatAWarmRingTakesItsNodesFromTheCache) {
  const host::ProgramResult result = run({"trace", "--kernel", "7", "--workload", "cache"});
  ASSERT_EQ(result.end.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("nodes: 128 fresh, 0 from the cache (inferred)"));
  EXPECT_THAT(result.output, HasSubstr("nodes: 0 fresh, 128 from the cache (inferred)"));
}

TEST_F(Attribution, ExplainsARoundOfSeveralStretches) {
  const host::ProgramResult result = run({"explain", "--a", "6.12", "--b", "7", "--workload",
                                          "cache", "--rounds", "2", "--warmup", "1"});
  ASSERT_EQ(result.end.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("Phase cold: instructions per install"));
  EXPECT_THAT(result.output, HasSubstr("Phase warm: instructions per install"));
}

TEST_F(Attribution, AllocatesForEveryFutexWaitThatCannotArm) {
  const host::ProgramResult result =
      run({"trace", "--kernel", "6.12", "--workload", "futex_rearm", "--ops", "128"});
  ASSERT_EQ(result.end.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("       128      1.000   allocations"));
}

}  // namespace
}  // namespace msgring::boot
