// SPDX-License-Identifier: MIT
// The functional trial behind `--clock tsc`.
#include "msgring/host/tsc.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "hypervisor.hpp"
#include "msgring/host/clock.hpp"

namespace msgring::host {

#if defined(__x86_64__)
namespace {

constexpr std::uint64_t kTurns = 10'000;

/// Ticks that a loop of `kTurns` two-instruction turns takes between two clock reads.
/// Never inlined, so that every call has the same few instructions around the loop.
[[gnu::noinline]] std::uint64_t ticks_of_known_loop() noexcept {
  const std::uint64_t start = read_clock(ClockKind::kTsc);
  std::uint64_t turns = kTurns;
  asm volatile("1:\n\tdec %0\n\tjnz 1b" : "+r"(turns) : : "cc");
  return read_clock(ClockKind::kTsc) - start;
}

}  // namespace

TscTrial try_tsc() {
  // Two instructions a turn, and at most this many around the loop: fences, moves, the subtraction.
  constexpr std::uint64_t kLeast = 2 * kTurns;
  constexpr std::uint64_t kMost = kLeast + 16;
  std::array<std::uint64_t, 16> ticks{};
  std::generate(ticks.begin(), ticks.end(), ticks_of_known_loop);
  std::sort(ticks.begin(), ticks.end());
  const std::uint64_t median = ticks[ticks.size() / 2];
  // Between two of these loops a fresh boot may run its background work: most must agree, not all.
  const auto agreeing = std::count(ticks.begin(), ticks.end(), median);
  const bool exact = 4 * agreeing >= 3 * std::ssize(ticks) && median >= kLeast && median <= kMost;
  return {exact,
          fmt::format("hypervisor {}, a loop of {} instructions took {} ticks {} times of {}",
                      text_of(hypervisor_of(cpuid_signature()).name), kLeast, median, agreeing,
                      ticks.size())};
}
#else
TscTrial try_tsc() { return {false, "no time-stamp counter on this architecture"}; }
#endif

}  // namespace msgring::host
