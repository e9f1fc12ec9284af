// SPDX-License-Identifier: MIT
// `msgring aba --explain --trace` from outside: verdict and reasons in one run.
#include <gmock/gmock.h>

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <string>

#include "aba_run.hpp"
#include "msgring/host/whole_file.hpp"
#include "msgring/profile/profile.hpp"
#include "msgring/report/mail.hpp"

namespace msgring::boot {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Mean instructions per install over a point's rounds.
double unprofiled_cost(const std::filesystem::path& point) {
  double sum = 0;
  double rounds = 0;
  const auto file = nlohmann::json::parse(host::read_file(point));
  for (const auto& row : file.at("benchmarks")) {
    if (row.at("run_type") == "iteration") {
      sum += row.at("instructions_per_install").get<double>();
      ++rounds;
    }
  }
  return sum / rounds;
}

void expect_same_count(const std::filesystem::path& profile_file,
                       const std::filesystem::path& point) {
  const profile::Profile profile = profile::read_profile(profile_file);
  const profile::PhaseProfile& phase = profile.phases.at(0);
  const double profiled =
      static_cast<double>(phase.instructions()) / static_cast<double>(phase.operations);
  const double unprofiled = unprofiled_cost(point);
  EXPECT_NEAR(profiled / unprofiled, 1.0, 0.002) << profile_file << ": " << profiled;
}

// The profiles' rounds are the benchmark's usual 15 of 4096 installs, so the points must be too.
TEST_F(Aba, SaysWhereTheDifferenceWentAndWhatTheKernelsDid) {
  const host::ProgramResult result =
      run({"--seeds", "1", "--explain", "--trace", "--introduced", "v6.12..v7.1"});
  ASSERT_EQ(result.end.exit_code, 0) << result.errors;
  expect_same_count(run_ / "why" / "A.profile", run_ / "points" / "s1-01-A.json");
  expect_same_count(run_ / "why" / "B.profile", run_ / "points" / "s1-02-B.json");
  constexpr const char* kNodes =
      "128 installs: io_rsrc_node_alloc nested in __io_fixed_fd_install 0 -> 128";
  for (const char* report : {"report.txt", "report.md", "report.html", "mail.txt"}) {
    const std::string text = host::read_file(run_ / report);
    EXPECT_THAT(text, HasSubstr("__kmalloc_noprof (only B)")) << report;
    EXPECT_THAT(text, HasSubstr("io_cache_alloc_new (only B)")) << report;
    EXPECT_THAT(text, HasSubstr(std::string(report) == "report.html"
                                    ? std::string("__io_fixed_fd_install 0 -&gt; 128")
                                    : std::string(kNodes)))
        << report;
  }
  EXPECT_THAT(host::read_file(run_ / "report.html"), HasSubstr("Differential flame graph"));
  EXPECT_THAT(
      report::lint_mail(host::read_file(run_ / "mail.txt"), report::RegzbotBlock::kRequired),
      IsEmpty());
  EXPECT_EQ(check().end.exit_code, 0) << check().errors;
}

/// An emulator that refuses plugins, and passes everything else on.
std::filesystem::path emulator_without_plugins(const std::filesystem::path& folder) {
  const std::filesystem::path program = folder / "qemu-without-plugins";
  host::write_new_file(program,
                       "#!/bin/sh\n"
                       "for word; do\n"
                       "  if [ \"$word\" = -plugin ]; then\n"
                       "    echo 'no plugins here' >&2\n"
                       "    exit 1\n"
                       "  fi\n"
                       "done\n"
                       "exec qemu-system-x86_64 \"$@\"\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  return program;
}

// The points are the evidence: a profile that cannot be made takes nothing from them.
TEST_F(Aba, ReportsTheVerdictAndWhyThereIsNoProfile) {
  const host::ProgramResult result =
      run({"--qemu", emulator_without_plugins(words_.path()).native(), "--seeds", "1", "--explain",
           "--", "--slots", "256", "--rounds", "3"});
  EXPECT_EQ(result.end.exit_code, 0) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("explain: where the difference went: not done: "));
  EXPECT_THAT(
      host::read_file(run_ / "report.txt"),
      ::testing::AllOf(HasSubstr("slower"), HasSubstr("not done: "), HasSubstr("no plugins here")));
  EXPECT_EQ(check().end.exit_code, 0) << check().errors;
}

TEST_F(Aba, GoesOnWithTheReasonsAfterAnInterruption) {
  const std::vector<std::string> words{"--seeds", "1",   "--explain", "--",
                                       "--slots", "256", "--rounds",  "3"};
  host::ChildProcess child = start(words);
  while (errors().find("explain: ") == std::string::npos &&
         !child.wait(std::chrono::milliseconds(50))) {
  }
  ::kill(child.pid(), SIGINT);
  const auto end = child.wait(std::chrono::seconds(20));
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(end->exit_code, 130) << errors();
  expect_no_emulator();
  EXPECT_EQ(points(), 3U);
  EXPECT_FALSE(std::filesystem::exists(run_ / "SHA256SUMS"));
  const host::ProgramResult resumed = run({"--resume", "--explain"});
  EXPECT_EQ(resumed.end.exit_code, 0) << resumed.errors;
  EXPECT_THAT(host::read_file(run_ / "report.txt"), HasSubstr("io_rsrc_node_alloc"));
  EXPECT_EQ(check().end.exit_code, 0) << check().errors;
}

}  // namespace
}  // namespace msgring::boot
