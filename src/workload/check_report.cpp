// SPDX-License-Identifier: MIT
#include "msgring/workload/check_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace msgring::workload {
namespace {

constexpr std::array<std::string_view, kCheckCount> kNames{
    "source_missing",   "source_duplicate", "source_foreign",
    "source_flags",     "source_result",    "target_missing",
    "target_duplicate", "target_foreign",   "target_flags",
    "target_result",    "slot_range",       "pair_mismatch",
    "slot_duplicate",   "slot_missing",     "slot_unreadable",
    "sentinel",         "register",         "removal",
    "temperature",      "update",           "arm",
    "payload",          "sq_dropped",       "cq_overflow",
    "outstanding",      "submit",           "timeout",
    "cpu_migrated",     "clock_source"};

}  // namespace

std::string_view check_name(Check check) noexcept {
  return kNames[static_cast<std::size_t>(check)];
}

void CheckReport::fail(Check check, std::string detail, std::uint64_t count) {
  Entry& entry = at(check);
  entry.performed = true;
  if (entry.failures == 0) {
    entry.first = std::move(detail);
  }
  entry.failures += count;
}

bool CheckReport::passed() const noexcept {
  return std::all_of(entries_.begin(), entries_.end(),
                     [](const Entry& entry) { return entry.failures == 0; });
}

std::string CheckReport::summary() const {
  std::string text;
  for (std::size_t index = 0; index < kCheckCount; ++index) {
    const Entry& entry = entries_[index];
    if (entry.failures != 0) {
      text += fmt::format("{}{} {}x (first: {})", text.empty() ? "" : "; ", kNames[index],
                          entry.failures, entry.first);
    }
  }
  return text.empty() ? "all checks passed" : text;
}

}  // namespace msgring::workload
