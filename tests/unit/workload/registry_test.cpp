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

TEST(Registry, EveryParameterHasAnOptionOfItsOwn) {
  std::set<std::string_view> options;
  for (const Parameter parameter : kAllParameters) {
    const std::string_view option = option_name(parameter);
    EXPECT_TRUE(option.starts_with("--"));
    EXPECT_TRUE(options.insert(option).second) << option;
  }
}

TEST(Registry, AWorkloadNamesTheOptionsThatShapeIt) {
  EXPECT_TRUE(uses(*find_workload("register_fill"), Parameter::kFill));
  EXPECT_FALSE(uses(*find_workload("first_fill"), Parameter::kFill));
  EXPECT_TRUE(uses(*find_workload("cache"), Parameter::kReplicates));
  EXPECT_FALSE(uses(*find_workload("futex_rearm"), Parameter::kSlots));
}

TEST(Registry, DefaultsAreTheDocumentedShapes) {
  EXPECT_EQ(find_workload("first_fill")->defaults.slots, 4096U);
  EXPECT_EQ(find_workload("first_fill")->defaults.batch, 64U);
  EXPECT_EQ(find_workload("cache")->defaults.slots, 128U);
  EXPECT_EQ(find_workload("cache")->defaults.replicates, 128U);
  EXPECT_EQ(find_workload("file_update")->defaults.slots, 128U);
  EXPECT_EQ(find_workload("file_update")->defaults.batch, 32U);
  EXPECT_EQ(find_workload("futex_rearm")->defaults.operations, 100'000U);
  EXPECT_EQ(find_workload("message_data")->defaults.operations, 262'144U);
}

TEST(Registry, CostNamesTellPhasesApart) {
  static constexpr std::array kOne{PhaseInfo{"fill", "install"}};
  static constexpr std::array kTwo{PhaseInfo{"cold", "install"}, PhaseInfo{"warm", "install"}};
  const auto entry_with = [](std::span<const PhaseInfo> phases) {
    return Entry{
        .name = "x", .summary = "x", .phases = phases, .minimum_kernel = "6.0", .make = nullptr};
  };
  const Entry one = entry_with(kOne);
  const Entry two = entry_with(kTwo);
  EXPECT_EQ(cost_name(one, 0, host::Unit::kNanoseconds), "ns_per_install");
  EXPECT_EQ(cost_name(two, 1, host::Unit::kInstructions), "warm_instructions_per_install");
  EXPECT_EQ(rate_name(one, 0), "installs_per_second");
  EXPECT_EQ(rate_name(two, 0), "cold_installs_per_second");
}

TEST(Registry, TheIntervalRunsFromFirstBeginToLastEnd) {
  const std::array<PhaseSample, 2> samples{PhaseSample{100, 130, 1}, PhaseSample{150, 190, 2}};
  EXPECT_EQ(interval_of(samples), 90U);  // 190 - 100
  EXPECT_EQ(interval_of({}), 0U);
}

TEST(Registry, UntimedWorkBetweenStretchesBelongsToNoInterval) {
  // A phase of 100 to 200 that paused for 60, and one of 110 to 260 that paused for 100.
  const std::array<PhaseSample, 2> samples{PhaseSample{100, 200, 8, 60},
                                           PhaseSample{110, 260, 8, 100}};
  EXPECT_EQ(samples[0].elapsed(), 40U);
  EXPECT_EQ(samples[1].elapsed(), 50U);
  EXPECT_EQ(interval_of(samples), 90U);
}

TEST(Registry, EveryEntryNamesTheKernelFunctionsItIsAbout) {
  for (const Entry& entry : registry()) {
    EXPECT_FALSE(entry.kernel_functions.empty()) << entry.name;
  }
  // The mechanism table of the report; io_cache_alloc_new tells a fresh node from a cached one.
  EXPECT_THAT(
      find_workload("first_fill")->kernel_functions,
      testing::ElementsAre("io_msg_ring", "io_msg_install_complete", "__io_fixed_fd_install",
                           "io_rsrc_node_alloc", "io_cache_alloc_new"));
}

}  // namespace
}  // namespace msgring::workload
