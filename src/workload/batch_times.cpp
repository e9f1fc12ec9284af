// SPDX-License-Identifier: MIT
#include "workload/batch_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "msgring/workload/tails.hpp"

namespace msgring::workload {
namespace {

constexpr std::uint32_t kCostTrials = 1001;

/// The value at `percent` of ascending `values`, by nearest rank.
double at_rank(std::span<const double> values, std::size_t percent) {
  const std::size_t rank = (values.size() * percent + 99) / 100;
  return values[std::max<std::size_t>(rank, 1) - 1];
}

}  // namespace

BatchTimes::BatchTimes(const Options& options, std::uint64_t batches)
    : times_(options.tails == Tails::kPerBatch ? batches : 0), clock_(options.clock) {}

void BatchTimes::reset() noexcept {
  times_.clear();
  count_ = 0;
}

void add_tails(std::string_view phase, const BatchTimes& times, std::vector<Counter>& counters) {
  std::vector<double> costs;
  costs.reserve(times.entries().size());
  for (const BatchTime& time : times.entries()) {
    costs.push_back(static_cast<double>(time.ticks) / time.operations);
  }
  if (costs.empty()) {
    return;
  }
  std::sort(costs.begin(), costs.end());
  const std::string_view unit = host::unit_text(host::unit_of(times.clock()));
  for (const std::size_t percent : {50U, 90U, 99U}) {
    counters.push_back({fmt::format("{}_p{}_{}", phase, percent, unit), at_rank(costs, percent)});
  }
  counters.push_back({fmt::format("{}_max_{}", phase, unit), costs.back()});
}

double batch_clock_cost(host::ClockKind clock) {
  std::array<std::uint64_t, kCostTrials> ticks{};
  for (std::uint64_t& trial : ticks) {
    // Three readings in a row: two intervals are what two readings take.
    const std::uint64_t begin = host::read_clock(clock);
    host::read_clock(clock);
    trial = host::read_clock(clock) - begin;
  }
  const auto middle = ticks.begin() + kCostTrials / 2;
  std::nth_element(ticks.begin(), middle, ticks.end());
  return static_cast<double>(*middle);
}

}  // namespace msgring::workload
