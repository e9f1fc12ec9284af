// SPDX-License-Identifier: MIT
#include "profile/rounding.hpp"

#include <algorithm>
#include <numeric>

namespace msgring::profile {
namespace {

__extension__ using Wide = __int128;

/// The largest number of tenths that is not above value / divisor.
std::int64_t floor_tenth(std::int64_t value, std::int64_t divisor) {
  const Wide scaled = Wide{value} * 10;
  Wide quotient = scaled / divisor;
  if (quotient * divisor > scaled) {
    --quotient;
  }
  return static_cast<std::int64_t>(quotient);
}

}  // namespace

std::int64_t tenth(std::int64_t value, std::int64_t divisor) {
  const Wide scaled = Wide{value} * 20;
  const Wide half = value < 0 ? -Wide{divisor} : Wide{divisor};
  return static_cast<std::int64_t>((scaled + half) / (Wide{divisor} * 2));
}

std::vector<std::int64_t> tenths(std::span<const std::int64_t> values, std::int64_t divisor) {
  std::vector<std::int64_t> rounded;
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  rounded.reserve(values.size());
  for (const std::int64_t value : values) {
    rounded.push_back(floor_tenth(value, divisor));
  }
  const auto remainder = [&](std::size_t i) {
    return Wide{values[i]} * 10 - Wide{rounded[i]} * divisor;
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
    return remainder(left) > remainder(right);
  });
  const std::int64_t sum = std::accumulate(values.begin(), values.end(), std::int64_t{0});
  const std::int64_t down = std::accumulate(rounded.begin(), rounded.end(), std::int64_t{0});
  const auto missing = static_cast<std::size_t>(tenth(sum, divisor) - down);
  for (std::size_t i = 0; i < std::min(missing, order.size()); ++i) {
    ++rounded[order[i]];
  }
  return rounded;
}

}  // namespace msgring::profile
