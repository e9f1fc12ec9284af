// SPDX-License-Identifier: MIT
// Phases in one stretch and in several.
#include "workload/phased_workload.hpp"

#include <gtest/gtest.h>

#include <array>

namespace msgring::workload {
namespace {

constexpr std::array kPhases{PhaseInfo{"cold", "install"}, PhaseInfo{"warm", "install"}};

class Probe final : public PhasedWorkload {
 public:
  Probe() : PhasedWorkload(Options{}, kPhases, 1) {}
  void prepare() override { expect({3, 4}); }
  void run() noexcept override {
    time_phase<0>([] {});
    time_phase<1>([] {});
  }
  void check(CheckReport& /*report*/) override {}
  void teardown() noexcept override {}
  EnterLog enters() const noexcept override { return {}; }
  std::vector<std::pair<std::string, std::string>> facts() const override { return {}; }
  using PhasedWorkload::fold;
};

TEST(PhasedWorkload, PhasesFollowEachOtherWithTheirOperations) {
  Probe probe;
  probe.prepare();
  probe.run();
  const auto samples = probe.samples();
  ASSERT_EQ(samples.size(), 2U);
  EXPECT_EQ(samples[0].operations, 3U);
  EXPECT_EQ(samples[1].operations, 4U);
  EXPECT_LE(samples[0].begin, samples[0].end);
  EXPECT_LE(samples[0].end, samples[1].begin);
  EXPECT_GE(interval_of(samples), samples[0].elapsed() + samples[1].elapsed());
}

TEST(PhasedWorkload, APhaseIsTheSumOfItsStretches) {
  Probe probe;
  probe.prepare();
  probe.fold(0, {100, 110, 0});
  probe.fold(1, {120, 125, 0});
  probe.fold(1, {150, 157, 0});
  probe.fold(0, {160, 172, 0});
  EXPECT_EQ(probe.samples()[0].begin, 100U);
  EXPECT_EQ(probe.samples()[0].end, 172U);
  EXPECT_EQ(probe.samples()[0].elapsed(), 22U);  // 10 + 12
  EXPECT_EQ(probe.samples()[1].elapsed(), 12U);  // 5 + 7
  EXPECT_EQ(interval_of(probe.samples()), 34U);
}

TEST(PhasedWorkload, ANewRoundForgetsTheLast) {
  Probe probe;
  probe.prepare();
  probe.fold(0, {100, 110, 0});
  probe.prepare();
  probe.fold(0, {500, 503, 0});
  EXPECT_EQ(probe.samples()[0].elapsed(), 3U);
}

}  // namespace
}  // namespace msgring::workload
