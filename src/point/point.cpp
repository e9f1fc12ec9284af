// SPDX-License-Identifier: MIT
// What a point's rows and facts say.
#include "msgring/point/point.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace msgring::point {
namespace {

bool has_state(std::string_view value, std::string_view state) noexcept {
  return value.substr(0, state.size()) == state &&
         (value.size() == state.size() || value[state.size()] == ' ');
}

std::vector<Phase> parse_phases(std::string_view text) {
  std::vector<Phase> phases;
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    const std::size_t colon = item.find(':');
    const bool has_noun = colon != std::string_view::npos;
    phases.push_back({std::string(item.substr(0, colon)),
                      std::string(has_noun ? item.substr(colon + 1) : "operation")});
    text.remove_prefix(std::min(item.size() + 1, text.size()));
  }
  return phases;
}

}  // namespace

const std::string* Facts::find(std::string_view key) const noexcept {
  const auto found = std::find_if(items_.begin(), items_.end(),
                                  [&](const auto& item) { return item.first == key; });
  return found == items_.end() ? nullptr : &found->second;
}

std::string Facts::get(std::string_view key, std::string_view fallback) const {
  const std::string* value = find(key);
  return value != nullptr ? *value : std::string(fallback);
}

bool is_unknown(std::string_view value) noexcept { return has_state(value, "unknown"); }

bool is_absent(std::string_view value) noexcept { return has_state(value, "absent"); }

std::vector<Phase> phases_of(const Point& point, std::string_view workload) {
  const std::string* text = point.context.find(fmt::format("msgring.workload.{}.phases", workload));
  std::vector<Phase> phases = text != nullptr ? parse_phases(*text) : std::vector<Phase>{};
  if (phases.empty()) {
    phases.push_back({"time", "iteration"});
  }
  return phases;
}

std::optional<double> cost_per_operation(const Row& row, const Phase& phase) {
  if (phase.name == "time") {
    return row.real_time;
  }
  const auto total = row.counters.find(fmt::format("{}_{}", phase.name, host::unit_text(row.unit)));
  if (total == row.counters.end()) {
    return std::nullopt;
  }
  const auto operations = row.counters.find(phase.name + "_operations");
  if (operations == row.counters.end()) {
    // A round has one interval, and only that may go without a count.
    return phase.name == "interval" ? std::optional(total->second) : std::nullopt;
  }
  if (!(operations->second > 0.0)) {
    return std::nullopt;
  }
  return total->second / operations->second;
}

std::string title_of(const Row& row) {
  std::string title = row.workload;
  for (const auto& [key, value] : row.parameters.items()) {
    title += fmt::format(" {}:{}", key, value);
  }
  return title;
}

}  // namespace msgring::point
