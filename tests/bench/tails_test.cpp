// SPDX-License-Identifier: MIT
// Tails on the real kernel: every workload gives them for its phases, and only on request.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernel.hpp"

namespace msgring::workload {
namespace {

class EveryWorkload : public testing::TestWithParam<std::string> {
 protected:
  std::vector<std::string> counters(Tails tails) {
    const Entry& entry = *find_workload(GetParam());
    Options options = entry.defaults;
    options.slots = 16;
    options.operations = 100;
    options.replicates = 2;
    options.tails = tails;
    const auto workload = testing_kernel::make_workload(GetParam().c_str(), options, why_);
    std::vector<std::string> names;
    if (workload) {
      for (const Counter& counter : testing_kernel::one_round(*workload).counters) {
        names.push_back(counter.name);
      }
    }
    return names;
  }
  std::string why_;
};

TEST_P(EveryWorkload, GivesTailsOfItsLastPhaseOnRequest) {
  const std::string phase(find_workload(GetParam())->phases.back().name);
  const auto names = counters(Tails::kPerBatch);
  if (!why_.empty()) {
    GTEST_SKIP() << why_;
  }
  EXPECT_THAT(names, testing::IsSupersetOf({phase + "_p50_ns", phase + "_p90_ns", phase + "_p99_ns",
                                            phase + "_max_ns"}));
}

TEST_P(EveryWorkload, GivesNoneUnasked) {
  EXPECT_THAT(counters(Tails::kOff), testing::Not(testing::Contains(testing::HasSubstr("_p50_"))));
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Entry& entry : registry()) {
    all.emplace_back(entry.name);
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryWorkload, testing::ValuesIn(names()),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace msgring::workload
