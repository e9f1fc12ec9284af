// SPDX-License-Identifier: MIT
#include "workload/temperature.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <vector>

namespace msgring::workload {
void check_temperatures(std::span<const FillHistory> fills, std::uint32_t posted_when_warm,
                        CheckReport& report) {
  report.performed(Check::kTemperature);
  std::set<int> rings;
  for (std::size_t number = 0; number < fills.size(); ++number) {
    const FillHistory& fill = fills[number];
    const bool warm = fill.claimed == Temperature::kWarm;
    const std::uint32_t posted = warm ? posted_when_warm : 0;
    const std::int32_t unregistered = warm ? 0 : kNoResult;
    if (fill.posted != posted || fill.unregistered != unregistered || fill.registered != 0) {
      report.fail(Check::kTemperature,
                  fmt::format("fill {}, said to be {}: {} completions before it ({} are due), "
                              "unregister: {}, register: {}",
                              number, warm ? "warm" : "cold", fill.posted, posted,
                              result_text(fill.unregistered), result_text(fill.registered)));
    } else if (!rings.insert(fill.ring_fd).second) {
      report.fail(Check::kTemperature,
                  fmt::format("fill {}: its ring was filled before in this round", number));
    }
  }
}

PairSummary summarize_pairs(std::span<const double> cold, std::span<const double> warm) {
  std::vector<double> differences(cold.size());
  std::transform(warm.begin(), warm.end(), cold.begin(), differences.begin(), std::minus<>());
  std::sort(differences.begin(), differences.end());
  const std::size_t count = differences.size();
  const double sum = std::accumulate(differences.begin(), differences.end(), 0.0);
  const double median = count % 2 != 0 ? differences[count / 2]
                                       : (differences[count / 2 - 1] + differences[count / 2]) / 2;
  const auto cheaper = std::lower_bound(differences.begin(), differences.end(), 0.0);
  return {sum / static_cast<double>(count), median,
          static_cast<std::uint32_t>(cheaper - differences.begin())};
}

}  // namespace msgring::workload
