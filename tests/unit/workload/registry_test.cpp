// SPDX-License-Identifier: MIT
// The registry's names are unique and usable as parts of benchmark and counter names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>

#include "msgring/workload/workload.hpp"

namespace msgring::workload {
namespace {

TEST(Registry, NamesAreUniqueAndPlain) {
  std::set<std::string_view> names;
  for (const Entry& entry : registry()) {
    EXPECT_THAT(std::string(entry.name), testing::MatchesRegex("[a-z_]+"));
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_FALSE(entry.phases.empty());
    EXPECT_FALSE(entry.summary.empty());
    EXPECT_EQ(find_workload(entry.name)->name, entry.name);
  }
  EXPECT_EQ(find_workload("first_fil"), nullptr);
}

TEST(Registry, CostNamesTellPhasesApart) {
  static constexpr std::array kOne{PhaseInfo{"fill", "install"}};
  static constexpr std::array kTwo{PhaseInfo{"cold", "install"}, PhaseInfo{"warm", "install"}};
  const Entry one{"x", "x", kOne, "6.0", nullptr};
  const Entry two{"x", "x", kTwo, "6.0", nullptr};
  EXPECT_EQ(cost_name(one, 0, host::Unit::kNanoseconds), "ns_per_install");
  EXPECT_EQ(cost_name(two, 1, host::Unit::kInstructions), "warm_instructions_per_install");
}

TEST(Registry, TheIntervalRunsFromFirstBeginToLastEnd) {
  const std::array<PhaseSample, 2> samples{PhaseSample{100, 130, 1}, PhaseSample{150, 190, 2}};
  EXPECT_EQ(interval_of(samples), 90U);  // 190 - 100
  EXPECT_EQ(interval_of({}), 0U);
}

}  // namespace
}  // namespace msgring::workload
