// SPDX-License-Identifier: MIT
// Rounding a column so that what is printed adds up to what is printed below it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace msgring::profile {

/// Each of `values` / `divisor` in tenths, each at most one tenth from the truth and together the
/// rounded sum, by the method of the largest remainder. `divisor` is positive.
std::vector<std::int64_t> tenths(std::span<const std::int64_t> values, std::int64_t divisor);

/// `value` / `divisor` in tenths, to the nearest, halves away from zero.
std::int64_t tenth(std::int64_t value, std::int64_t divisor);

}  // namespace msgring::profile
