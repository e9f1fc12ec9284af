// SPDX-License-Identifier: MIT
#include "workload/table_checks.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <random>

namespace msgring::workload {
void check_register(std::string_view call, std::int32_t result, CheckReport& report) {
  report.performed(Check::kRegister);
  if (result != 0) {
    report.fail(Check::kRegister, fmt::format("{}: {}", call, result_text(result)));
  }
}

void check_table_size(std::uint32_t slots, std::int32_t last, std::int32_t past,
                      CheckReport& report) {
  report.performed(Check::kRegister);
  if (last != 1) {
    report.fail(Check::kRegister, fmt::format("no slot {} in a table of {}: {}", slots - 1, slots,
                                              result_text(last)));
  }
  if (past != -EINVAL) {
    report.fail(Check::kRegister,
                fmt::format("slot {} in a table of {}: {}", slots, slots, result_text(past)));
  }
}

std::vector<SlotSpan> spans_of(const SlotSet& filled) {
  std::vector<SlotSpan> spans;
  for (std::uint32_t slot = 0; slot < filled.size(); ++slot) {
    if (!filled[slot]) {
      continue;
    }
    if (!spans.empty() && spans.back().first + spans.back().count == slot) {
      ++spans.back().count;
    } else {
      spans.push_back({slot, 1});
    }
  }
  return spans;
}

void check_removals(std::span<const SlotSpan> spans, std::span<const std::int32_t> results,
                    CheckReport& report) {
  report.performed(Check::kRemoval);
  for (std::size_t index = 0; index < spans.size(); ++index) {
    const SlotSpan& span = spans[index];
    const std::int32_t result = index < results.size() ? results[index] : kNoResult;
    if (result != static_cast<std::int32_t>(span.count)) {
      report.fail(Check::kRemoval,
                  fmt::format("slots {} to {}: {} removed, {} are due", span.first,
                              span.first + span.count - 1, result_text(result), span.count));
    }
  }
}

std::vector<Update> random_updates(std::uint32_t count, std::uint32_t slots,
                                   std::uint8_t contents) {
  std::vector<Update> updates;
  updates.reserve(count);
  std::mt19937 random(1);
  for (std::uint32_t number = 0; number < count; ++number) {
    const auto slot = static_cast<std::uint32_t>(random() % slots);
    updates.push_back({slot, static_cast<std::uint8_t>(random() % contents)});
  }
  return updates;
}

SlotContents contents_after(std::span<const Update> updates, std::uint32_t slots) {
  SlotContents contents(slots, 0);
  for (const Update& update : updates) {
    contents[update.slot] = update.content;
  }
  return contents;
}

void check_updates(std::span<const std::int32_t> results, CheckReport& report) {
  report.performed(Check::kUpdate);
  for (std::size_t number = 0; number < results.size(); ++number) {
    if (results[number] != 1 && results[number] != kNoResult) {
      report.fail(Check::kUpdate,
                  fmt::format("update {}: {}, 1 is due", number, result_text(results[number])));
    }
  }
}

}  // namespace msgring::workload
