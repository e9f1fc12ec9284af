// SPDX-License-Identifier: MIT
// The clocks that may stand around a timed region, and the marks that an emulator looks for.
#pragma once

#include <cstdint>
#include <ctime>
#include <string_view>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace msgring::host {

/// `kMonotonicRaw` counts nanoseconds. `kTsc` counts time-stamp-counter ticks, which under QEMU's
/// `-icount shift=0` are guest instructions, one each; anywhere else they mean neither.
enum class ClockKind { kMonotonicRaw, kTsc };

/// What one tick of a clock is. The two are never mixed and never printed one as the other.
enum class Unit { kNanoseconds, kInstructions };

constexpr Unit unit_of(ClockKind kind) noexcept {
  return kind == ClockKind::kTsc ? Unit::kInstructions : Unit::kNanoseconds;
}

/// The unit as it stands in names and files: "ns" or "instructions".
constexpr std::string_view unit_text(Unit unit) noexcept {
  return unit == Unit::kInstructions ? "instructions" : "ns";
}

/// The clock as `--clock` spells it: "monotonic_raw" or "tsc".
constexpr std::string_view clock_text(ClockKind kind) noexcept {
  return kind == ClockKind::kTsc ? "tsc" : "monotonic_raw";
}

/// Ticks of `kind` since some fixed start. Orders itself after all earlier loads and instructions.
inline std::uint64_t read_clock(ClockKind kind) noexcept {
#if defined(__x86_64__)
  if (kind == ClockKind::kTsc) {
    _mm_lfence();
    const std::uint64_t ticks = __rdtsc();
    _mm_lfence();
    return ticks;
  }
#endif
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
         static_cast<std::uint64_t>(now.tv_nsec);
}

/// Marks the start (`Phase` = 0, 1, ...) of a timed phase for an instruction profiler: a no-op of
/// seven bytes, `0f 1f 80` and a displacement, "MRB" and the phase, that no compiler emits.
/// Inlined in every build, so that no call counts as the phase's work.
template <unsigned Phase>
[[gnu::always_inline]] inline void mark_phase_begin() noexcept {
#if defined(__x86_64__)
  asm volatile(".byte 0x0f, 0x1f, 0x80\n\t.long %c0" : : "i"(0x4D524200U + Phase) : "memory");
#endif
}

/// The same for the end of a phase: "MRE" and the phase.
template <unsigned Phase>
[[gnu::always_inline]] inline void mark_phase_end() noexcept {
#if defined(__x86_64__)
  asm volatile(".byte 0x0f, 0x1f, 0x80\n\t.long %c0" : : "i"(0x4D524500U + Phase) : "memory");
#endif
}

}  // namespace msgring::host
