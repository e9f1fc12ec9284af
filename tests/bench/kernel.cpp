// SPDX-License-Identifier: MIT
#include "kernel.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <filesystem>
#include <iterator>
#include <memory>
#include <stdexcept>

#include "msgring/error.hpp"
#include "msgring/uring/send_fd_trial.hpp"

namespace msgring::workload::testing_kernel {
namespace {

/// Pins this thread to the first CPU that it may use, once.
int pinned_cpu() {
  static const int cpu = [] {
    cpu_set_t allowed;
    if (::sched_getaffinity(0, sizeof(allowed), &allowed) != 0) {
      throw std::runtime_error("sched_getaffinity failed");
    }
    int first = 0;
    while (!CPU_ISSET(static_cast<std::size_t>(first), &allowed)) {
      ++first;
    }
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(first), &one);
    ::sched_setaffinity(0, sizeof(one), &one);
    return first;
  }();
  return cpu;
}

}  // namespace

std::string why_no_send_fd() {
  try {
    uring::try_send_fd({}, {});
    return {};
  } catch (const std::exception& error) {
    return describe(error);
  }
}

int open_descriptors() {
  const std::filesystem::directory_iterator descriptors("/proc/self/fd");
  return static_cast<int>(std::distance(begin(descriptors), end(descriptors)));
}

DescriptorLimit::DescriptorLimit(int more) {
  const int lowest_free = ::dup(STDERR_FILENO);
  ::close(lowest_free);
  ::getrlimit(RLIMIT_NOFILE, &before_);
  const rlimit lowered{static_cast<rlim_t>(lowest_free) + static_cast<rlim_t>(more),
                       before_.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &lowered);
}

DescriptorLimit::~DescriptorLimit() { ::setrlimit(RLIMIT_NOFILE, &before_); }

RoundResult one_round(Workload& workload) {
  Round round(workload, pinned_cpu());
  round.run();
  return round.finish();
}

RoundResult one_round(const char* name, const Options& options) {
  const std::unique_ptr<Workload> workload = find_workload(name)->make(options);
  return one_round(*workload);
}

Shape of_operations(const char* name, std::uint32_t operations, std::uint32_t batch,
                    RingProfile profile) {
  Options options;
  options.operations = operations;
  options.batch = batch;
  options.source_profile = profile;
  return {name, options, {operations}, calls_for(operations, batch)};
}

Shape explicit_skipped_deferred(Shape shape) {
  shape.options.slot_mode = SlotMode::kExplicit;
  shape.options.target_completion = TargetCompletion::kSkipped;
  shape.options.source_profile = RingProfile::kDeferTaskrun;
  shape.options.target_profile = RingProfile::kDeferTaskrun;
  return shape;
}

std::unique_ptr<Workload> make_workload(const char* name, const Options& options,
                                        std::string& why) {
  try {
    return find_workload(name)->make(options);
  } catch (const Error& error) {
    if (error.status() != ExitStatus::kEnvironment) {
      throw;
    }
    why = describe(error);
    return nullptr;
  }
}

namespace {

void expect_good_round(Workload& workload, const Shape& shape) {
  const RoundResult result = one_round(workload);
  ASSERT_TRUE(result.report.passed()) << result.report.summary();
  std::vector<std::uint64_t> operations;
  std::uint64_t sum = 0;
  for (const PhaseSample& sample : result.samples) {
    operations.push_back(sample.operations);
    EXPECT_GT(sample.elapsed(), 0U);
    EXPECT_LE(sample.begin, sample.end);
    sum += sample.elapsed();
  }
  EXPECT_EQ(operations, shape.operations);
  EXPECT_GE(interval_of(result.samples), sum);
  EXPECT_EQ(result.enters.calls - result.enters.extra_calls, shape.calls);
}

}  // namespace

void expect_good_rounds(const char* name, const Shape& shape) {
  const int before = open_descriptors();
  std::string why;
  if (const auto workload = make_workload(name, shape.options, why)) {
    for (int turn = 0; turn < 3; ++turn) {
      expect_good_round(*workload, shape);
    }
  }
  EXPECT_EQ(open_descriptors(), before);
  if (!why.empty()) {
    GTEST_SKIP() << why;
  }
}

}  // namespace msgring::workload::testing_kernel
