// SPDX-License-Identifier: MIT
// Threads by name in /proc, sched_setaffinity(2).
#include "vcpu_pinning.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>
#include <vector>

#include "msgring/error.hpp"

namespace msgring::boot {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kVcpus = 2;

std::vector<std::size_t> allowed_cpus_from_last() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<std::size_t> cpus;
  if (::sched_getaffinity(0, sizeof set, &set) == 0) {
    for (std::size_t cpu = CPU_SETSIZE; cpu-- > 0;) {
      if (CPU_ISSET(cpu, &set)) {
        cpus.push_back(cpu);
      }
    }
  }
  return cpus;
}

/// Virtual CPU number to thread id.
std::map<unsigned, pid_t> vcpu_threads(pid_t qemu) {
  std::map<unsigned, pid_t> threads;
  std::error_code gone;
  for (const auto& task : fs::directory_iterator(fmt::format("/proc/{}/task", qemu), gone)) {
    std::string name;
    std::getline(std::ifstream(task.path() / "comm") >> std::ws, name);
    unsigned vcpu = 0;
    if (std::sscanf(name.c_str(), "CPU %u/KVM", &vcpu) == 1) {
      threads[vcpu] = std::stoi(task.path().filename());
    }
  }
  return threads;
}

}  // namespace

std::string pin_vcpus(pid_t qemu) {
  const std::vector<std::size_t> cpus = allowed_cpus_from_last();
  if (cpus.size() < kVcpus) {
    return fmt::format("unpinned: {} CPUs for {} virtual ones", cpus.size(), kVcpus);
  }
  std::map<unsigned, pid_t> threads;
  for (int i = 0; i < 100 && threads.size() < kVcpus; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    threads = vcpu_threads(qemu);
  }
  std::string done;
  for (const auto& [vcpu, thread] : threads) {
    const std::size_t cpu = cpus[vcpu % cpus.size()];
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (::sched_setaffinity(thread, sizeof set, &set) != 0) {
      return fmt::format("unpinned: {}", errno_name(errno));
    }
    done += fmt::format("{}{}:{}", done.empty() ? "" : " ", vcpu, cpu);
  }
  return done.empty() ? "unpinned: no virtual CPU appeared" : done;
}

}  // namespace msgring::boot
