// SPDX-License-Identifier: MIT
// sched_getaffinity(2) and sched_setaffinity(2) with a mask that is large enough for any kernel.
#include "affinity.hpp"

#include <sched.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstddef>

#include "msgring/error.hpp"

namespace msgring::host {
namespace {

constexpr int kBitsPerWord = CHAR_BIT * sizeof(unsigned long);

/// cpu_set_t ends at 1024 CPUs; the system calls take any multiple of a long.
struct Mask {
  std::array<unsigned long, kMostCpus / kBitsPerWord> words{};

  cpu_set_t* get() { return reinterpret_cast<cpu_set_t*>(words.data()); }
  static constexpr std::size_t kBytes = kMostCpus / CHAR_BIT;
};

}  // namespace

CpuList this_thread_affinity() {
  Mask mask;
  if (::sched_getaffinity(0, Mask::kBytes, mask.get()) != 0) {
    throw_system_error(errno, "sched_getaffinity");
  }
  CpuList cpus;
  for (int cpu = 0; cpu < kMostCpus; ++cpu) {
    const unsigned long word = mask.words[static_cast<std::size_t>(cpu / kBitsPerWord)];
    if (((word >> (cpu % kBitsPerWord)) & 1U) != 0) {
      cpus.push_back(cpu);
    }
  }
  return cpus;
}

int set_this_thread_affinity(const CpuList& cpus) {
  Mask mask;
  for (const int cpu : cpus) {
    mask.words[static_cast<std::size_t>(cpu / kBitsPerWord)] |= 1UL << (cpu % kBitsPerWord);
  }
  return ::sched_setaffinity(0, Mask::kBytes, mask.get()) == 0 ? 0 : errno;
}

CpuList grantable_affinity(const CpuList& cpus) {
  CpuList before = this_thread_affinity();
  if (set_this_thread_affinity(cpus) != 0) {
    return before;
  }
  CpuList granted = this_thread_affinity();
  if (const int error = set_this_thread_affinity(before); error != 0) {
    throw_system_error(error, "sched_setaffinity", format_cpu_list(before));
  }
  return granted;
}

}  // namespace msgring::host
