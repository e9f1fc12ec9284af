// SPDX-License-Identifier: MIT
// The functional trial behind `--clock tsc`.
#include "msgring/host/tsc.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "hypervisor.hpp"
#include "msgring/host/clock.hpp"

namespace msgring::host {

#if defined(__x86_64__)
namespace {

constexpr std::uint64_t kTurns = 10'000;

/// Ticks that a loop of `kTurns` two-instruction turns takes between two clock reads.
std::uint64_t ticks_of_known_loop() noexcept {
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
  std::uint64_t first = 0;
  bool exact = true;
  for (int repetition = 0; repetition < 8; ++repetition) {
    const std::uint64_t ticks = ticks_of_known_loop();
    first = repetition == 0 ? ticks : first;
    exact = exact && ticks == first && ticks >= kLeast && ticks <= kMost;
  }
  return {exact, fmt::format("hypervisor {}, a loop of {} instructions took {} ticks",
                             text_of(hypervisor_of(cpuid_signature()).name), kLeast, first)};
}
#else
TscTrial try_tsc() { return {false, "no time-stamp counter on this architecture"}; }
#endif

}  // namespace msgring::host
