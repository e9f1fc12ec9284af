// SPDX-License-Identifier: MIT
// Which checks a good round of each workload performs: one that is left out would pass unseen.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kernel.hpp"

namespace msgring::workload {
namespace {

using Names = std::set<std::string_view>;

Names operator+(Names left, const Names& right) {
  left.insert(right.begin(), right.end());
  return left;
}

const Names kRing{"sq_dropped", "cq_overflow", "outstanding", "cpu_migrated", "clock_source"};
const Names kCalls{"submit", "timeout"};
const Names kSource{"source_missing", "source_duplicate", "source_foreign", "source_flags"};
const Names kTarget{"target_missing", "target_duplicate", "target_foreign", "target_flags"};
const Names kReadBack{"slot_unreadable", "sentinel"};
const Names kSlots{"slot_range", "slot_duplicate"};
const Names kUpdate = kRing + kReadBack + Names{"update"};
const Names kSendFd = kRing + kCalls + kSource + kTarget + kReadBack + kSlots +
                      Names{"source_result", "target_result", "pair_mismatch"};
const Names kDirect =
    kRing + kCalls + kSource + kReadBack + kSlots + Names{"source_result", "slot_missing"};
const Names kMessage = kRing + kCalls + kSource + kTarget + Names{"source_result", "payload"};

const std::map<std::string_view, Names> kDue{
    {"first_fill", kSendFd + Names{"slot_missing"}},
    {"register_fill", kSendFd + Names{"register"}},
    {"refill", kSendFd + Names{"removal"}},
    {"replace", kSendFd + Names{"slot_missing"}},
    {"cache", kSendFd + Names{"slot_missing", "temperature"}},
    {"file_update", kUpdate + kCalls + kSource},
    {"file_update_register", kUpdate},
    {"buffer_update", kUpdate},
    {"futex_rearm", kRing + kCalls + kSource + Names{"arm"}},
    {"message_data", kMessage},
    {"message_data_deferred", kMessage},
    {"direct_open", kDirect},
    {"direct_socket", kDirect}};

Names performed_by(const CheckReport& report) {
  Names names;
  for (std::size_t index = 0; index < kCheckCount; ++index) {
    if (report.was_performed(static_cast<Check>(index))) {
      names.insert(check_name(static_cast<Check>(index)));
    }
  }
  return names;
}

class PerformedChecks : public testing::TestWithParam<std::string_view> {};

TEST_P(PerformedChecks, AreTheOnesThatAreDue) {
  const std::string name(GetParam());
  Options options = find_workload(name)->defaults;
  options.slots = 64;
  options.replicates = 2;
  options.operations = 256;
  std::string why;
  const auto workload = testing_kernel::make_workload(name.c_str(), options, why);
  if (workload == nullptr) {
    GTEST_SKIP() << why;
  }
  const RoundResult result = testing_kernel::one_round(*workload);
  EXPECT_TRUE(result.report.passed()) << result.report.summary();
  ASSERT_TRUE(kDue.contains(name)) << "say here which checks are due";
  EXPECT_EQ(performed_by(result.report), kDue.at(name));
}

std::vector<std::string_view> every_name() {
  std::vector<std::string_view> names;
  for (const Entry& entry : registry()) {
    names.push_back(entry.name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Of, PerformedChecks, testing::ValuesIn(every_name()),
                         [](const auto& name) { return std::string(name.param); });

}  // namespace
}  // namespace msgring::workload
