// SPDX-License-Identifier: MIT
// The one random number generator: the same numbers on every standard library, for ever.
#pragma once

#include <cstdint>
#include <string_view>

namespace msgring::stats {

/// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
/// Period 2^64; passes BigCrush; one multiply chain per 64 bits, which the bootstrap's loop needs.
class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) noexcept : state_(seed) {}

  std::uint64_t next() noexcept {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
    return mixed ^ (mixed >> 31U);
  }

  /// Uniform in [0, bound), by multiplication of 32 bits (Lemire, 2019, without the rejection: for
  /// the bounds used here, at most some thousands, the bias is under 1 in a million).
  std::uint32_t below(std::uint32_t bound) noexcept {
    if (!has_half_) {
      bits_ = next();
    }
    const auto half = static_cast<std::uint32_t>(has_half_ ? bits_ >> 32U : bits_);
    has_half_ = !has_half_;
    return static_cast<std::uint32_t>((std::uint64_t{half} * bound) >> 32U);
  }

  /// Uniform in [0, 1) with 53 bits.
  double uniform() noexcept { return static_cast<double>(next() >> 11U) * 0x1.0p-53; }

 private:
  std::uint64_t state_;
  std::uint64_t bits_ = 0;
  bool has_half_ = false;
};

/// A seed of its own for each name, so that adding a comparison changes no other one's interval.
constexpr std::uint64_t seed_for(std::uint64_t base, std::string_view name) noexcept {
  std::uint64_t hash = 0xCBF29CE484222325U ^ base;  // FNV-1a
  for (const char c : name) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  }
  return hash;
}

}  // namespace msgring::stats
