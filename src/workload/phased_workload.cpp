// SPDX-License-Identifier: MIT
#include "workload/phased_workload.hpp"

#include <algorithm>

namespace msgring::workload {

PhasedWorkload::PhasedWorkload(const Options& options, std::span<const PhaseInfo> phases,
                               std::uint64_t operations)
    : options_(options), phases_(phases), samples_(phases.size()) {
  for (std::size_t phase = 0; phase < phases.size(); ++phase) {
    tails_.emplace_back(options, operations);
  }
}

void PhasedWorkload::expect(std::initializer_list<std::uint64_t> operations) noexcept {
  std::transform(operations.begin(), operations.end(), samples_.begin(), [](std::uint64_t count) {
    return PhaseSample{0, 0, count};
  });
  for (BatchTimes& times : tails_) {
    times.reset();
  }
}

void PhasedWorkload::fold(unsigned phase, const PhaseSample& stretch) noexcept {
  PhaseSample& sample = samples_[phase];
  if (sample.end == 0) {
    sample.begin = stretch.begin;
  } else {
    sample.paused += stretch.begin - sample.end;
  }
  sample.end = stretch.end;
}

std::vector<Counter> PhasedWorkload::counters() const {
  std::vector<Counter> all;
  for (std::size_t phase = 0; phase < phases_.size(); ++phase) {
    add_tails(phases_[phase].name, tails_[phase], all);
  }
  return all;
}

}  // namespace msgring::workload
