// SPDX-License-Identifier: MIT
// Difference: where the instructions went that one kernel needs more than another.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "msgring/profile/profile.hpp"

namespace msgring::profile {

/// Are a function's compiler-made parts and renamed forms (`x.constprop.0`, `x.cold`, `__x_noprof`)
/// one function?
enum class Names { kAsTheyAre, kGrouped };

enum class Sides { kBoth, kOnlyA, kOnlyB };

/// Two counts per operation, both times Difference::divisor, so that sums are exact.
struct Pair {
  std::int64_t a = 0;
  std::int64_t b = 0;

  std::int64_t change() const noexcept { return b - a; }
  Pair& operator+=(const Pair& other) noexcept {
    a += other.a;
    b += other.b;
    return *this;
  }
  bool operator==(const Pair&) const = default;
};

/// A function, wherever it was called from.
struct FunctionRow {
  std::string name;
  Sides sides = Sides::kBoth;
  Pair self;       ///< its own instructions
  Pair inclusive;  ///< with everything below it, each instruction once
};

/// A function at the end of one chain of calls. Node 0 is the phase. Where one side has inlined a
/// function, what that function calls stands beside it, as it does on that side.
struct DifferenceNode {
  std::uint32_t parent = 0;
  std::string name;
  Pair self;
  Pair inclusive;
  Pair calls;  ///< times Difference::divisor as well
};

/// One phase of two profiles.
struct Difference {
  Subject a;
  Subject b;
  std::string phase;
  std::string noun;
  std::int64_t divisor = 1;            ///< every Pair divided by this is per operation
  Pair total;                          ///< the sum of all rows, and of all nodes' own instructions
  Pair user;                           ///< the part of it outside the kernel
  std::vector<FunctionRow> functions;  ///< the largest change first
  std::vector<DifferenceNode> nodes;   ///< parents before children
};

/// The difference of every phase that both profiles have, in A's order.
/// Throws Error (kInvalid) when they profile different workloads or parameters, share no phase, or
/// when a sum would not fit 63 bits.
std::vector<Difference> subtract(const Profile& a, const Profile& b, Names names);

/// The name under which a function stands when names are grouped; `known` are all names, sorted.
std::string grouped_name(std::string_view name, const std::vector<std::string>& known);

}  // namespace msgring::profile
