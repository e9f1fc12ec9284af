// SPDX-License-Identifier: MIT
// The descriptor limit is raised far enough and no further; locked memory is told where it counts.
#include "msgring/host/limits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "thrown_error.hpp"

namespace msgring::host {
namespace {

using testing::HasSubstr;

/// Runs `act` in a child with these limits of its own; true if it returned true.
bool with_nofile(rlim_t soft, rlim_t hard, const std::function<bool()>& act) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit limit{soft, hard};
    ::_exit(::setrlimit(RLIMIT_NOFILE, &limit) == 0 && act() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

rlimit current_nofile() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  return limit;
}

TEST(WantedNofile, IsSlotsPlusMarginNeverLowerNeverAboveHard) {
  EXPECT_EQ(wanted_nofile(4096, 1024, 20000), 4096U + 64U);
  EXPECT_EQ(wanted_nofile(64, 1024, 20000), 1024U);
  EXPECT_EQ(wanted_nofile(19990, 1024, 20000), 20000U);
  EXPECT_EQ(wanted_nofile(1048576, 1024, 20000), 20000U);
}

TEST(RaiseNofile, RaisesSoftLimitOnly) {
  EXPECT_TRUE(with_nofile(128, 1000, [] {
    const NofileLimit limit = raise_nofile(500);
    return limit.soft_before == 128 && limit.soft_after == 564 && limit.hard == 1000 &&
           current_nofile().rlim_cur == 564 && current_nofile().rlim_max == 1000 &&
           describe(limit) == "soft 128 raised to 564, hard 1000";
  }));
}

TEST(RaiseNofile, LeavesSufficientLimitAlone) {
  EXPECT_TRUE(with_nofile(700, 1000, [] {
    return describe(raise_nofile(500)) == "soft 700, hard 1000" && current_nofile().rlim_cur == 700;
  }));
}

TEST(RaiseNofile, TableOfExactlyTheHardLimitIsPossible) {
  EXPECT_TRUE(with_nofile(128, 1000, [] { return raise_nofile(1000).soft_after == 1000; }));
}

TEST(RaiseNofile, TableAboveHardLimitIsRefusedWithAllThreeNumbers) {
  EXPECT_TRUE(with_nofile(128, 1000, [] {
    const ThrownError error = error_of([] { raise_nofile(1001); });
    return error.status == ExitStatus::kEnvironment &&
           error.line.find("1001 slots") != std::string::npos &&
           error.line.find("128 (soft), 1000 (hard); take at most 1000 slots") !=
               std::string::npos &&
           error.line.find("LimitNOFILE=") != std::string::npos && current_nofile().rlim_cur == 128;
  }));
}

TEST(RingMemory, IsCountedInPowerOfTwoPages) {
  // 256 SQEs, 512 CQEs: 320 + 512*16 + 256*4 = 9536 bytes, 3 pages, rounded to 4: 16384;
  // 256*64 = 16384 bytes, 4 pages. Together 32768.
  EXPECT_EQ(ring_memory_bytes({256, 512}), 32768U);
  // 1 SQE, 2 CQEs: 356 bytes and 64 bytes, one page each.
  EXPECT_EQ(ring_memory_bytes({1, 2}), 8192U);
  // With 64 KiB pages one each.
  EXPECT_EQ(ring_memory_bytes({256, 512}, 65536), 131072U);
}

TEST(MemlockNeed, CountsBefore512AndSaysPerUser) {
  const RingSize rings[] = {{256, 512}, {256, 512}, {256, 512}};
  const MemlockNeed need = memlock_need(rings, "5.10.0-32-amd64", 65536, false);
  EXPECT_EQ(need.is_counted, true);
  EXPECT_EQ(need.needed_bytes, 3U * 32768U);
  EXPECT_FALSE(need.fits);
  EXPECT_EQ(need.text,
            "3 rings of 96 KiB in all; this kernel (before 5.12) counts them against "
            "RLIMIT_MEMLOCK, 64 KiB, per user: the rings of all of this user's processes together");
  EXPECT_TRUE(memlock_need(rings, "5.10.0", std::nullopt, false).fits);
  EXPECT_TRUE(memlock_need(rings, "5.10.0", 98304, false).fits);
}

TEST(MemlockNeed, IsNotCountedFrom512OrWithTheCapability) {
  const RingSize rings[] = {{256, 512}};
  for (const char* release : {"5.12.0", "5.15.0-105-generic", "6.1.0-42", "10.0"}) {
    EXPECT_EQ(memlock_need(rings, release, 0, false).is_counted, false) << release;
    EXPECT_TRUE(memlock_need(rings, release, 0, false).fits) << release;
  }
  EXPECT_THAT(memlock_need(rings, "6.1.0", 0, true).text, HasSubstr("by this kernel (5.12 or"));
  EXPECT_EQ(memlock_need(rings, "5.10.0", 0, true).is_counted, false);
  EXPECT_THAT(memlock_need(rings, "5.10.0", 0, true).text, HasSubstr("CAP_IPC_LOCK"));
}

TEST(MemlockNeed, UnreadableReleaseIsUnknownNotAGuess) {
  const RingSize rings[] = {{256, 512}};
  for (const char* release : {"", "custom", "5", "5.", "x.12"}) {
    const MemlockNeed need = memlock_need(rings, release, 0, false);
    EXPECT_EQ(need.is_counted, std::nullopt) << release;
    EXPECT_TRUE(need.fits) << release;
    EXPECT_THAT(need.text, HasSubstr("unknown")) << release;
  }
  EXPECT_TRUE(memlock_need(rings).is_counted.has_value());
}

}  // namespace
}  // namespace msgring::host
