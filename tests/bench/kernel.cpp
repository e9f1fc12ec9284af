// SPDX-License-Identifier: MIT
#include "kernel.hpp"

#include <sched.h>

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

RoundResult one_round(Workload& workload) {
  Round round(workload, pinned_cpu());
  round.run();
  return round.finish();
}

RoundResult one_round(const char* name, const Options& options) {
  const std::unique_ptr<Workload> workload = find_workload(name)->make(options);
  return one_round(*workload);
}

}  // namespace msgring::workload::testing_kernel
