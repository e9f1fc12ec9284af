// SPDX-License-Identifier: MIT
// The checks of calls that change a table by themselves: register, remove, update. Pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "msgring/workload/check_report.hpp"
#include "workload/checks.hpp"

namespace msgring::workload {

/// A register call named `call` must have given 0.
void check_register(std::string_view call, std::int32_t result, CheckReport& report);

/// A table of `slots` slots must have a last slot and none behind it: `last` and `past` are the
/// results of an update that changes nothing (IORING_REGISTER_FILES_SKIP) at slots - 1 and at
/// slots.
void check_table_size(std::uint32_t slots, std::int32_t last, std::int32_t past,
                      CheckReport& report);

/// Neighbouring slots.
struct SlotSpan {
  std::uint32_t first;
  std::uint32_t count;
  friend bool operator==(const SlotSpan&, const SlotSpan&) = default;
};

/// The filled slots as the fewest spans, in ascending order.
std::vector<SlotSpan> spans_of(const SlotSet& filled);

/// Every span's call must have emptied as many slots as the span has: results[i] is the result of
/// the call for spans[i].
void check_removals(std::span<const SlotSpan> spans, std::span<const std::int32_t> results,
                    CheckReport& report);

/// One update of a table: which sentinel goes where.
struct Update {
  std::uint32_t slot;
  std::uint8_t content;
};

/// `count` updates at random slots of a table of `slots` with random contents below `contents`. The
/// same every time, so that two rounds and two boots do the same work.
std::vector<Update> random_updates(std::uint32_t count, std::uint32_t slots, std::uint8_t contents);

/// What a table holds after `updates` in their order, if it held sentinel 0 everywhere.
SlotContents contents_after(std::span<const Update> updates, std::uint32_t slots);

/// Every update must have changed exactly one slot; kNoResult is counted elsewhere.
void check_updates(std::span<const std::int32_t> results, CheckReport& report);

}  // namespace msgring::workload
