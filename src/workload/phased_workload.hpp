// SPDX-License-Identifier: MIT
// PhasedWorkload: what every workload does the same way. It times phases and keeps their tails.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "msgring/host/clock.hpp"
#include "msgring/workload/workload.hpp"
#include "workload/batch_times.hpp"

namespace msgring::workload {

class PhasedWorkload : public Workload {
 public:
  std::span<const PhaseSample> samples() const noexcept final { return samples_; }
  /// The tails of every phase, if they were asked for.
  std::vector<Counter> counters() const override;

 protected:
  /// `operations`: the largest number in one phase of a round.
  PhasedWorkload(const Options& options, std::span<const PhaseInfo> phases,
                 std::uint64_t operations);

  const Options& options() const noexcept { return options_; }

  /// Untimed: a new round, in which phase i does operations[i].
  void expect(std::initializer_list<std::uint64_t> operations) noexcept;

  /// Times `work` as phase `Phase`: clock and profiler marks around it, nothing else.
  template <unsigned Phase, class Work>
  void time_phase(Work work) noexcept {
    time_stretch<Phase>(samples_[Phase], work);
  }

  /// The same for a part of a phase that pauses; fold() then makes the phase of its stretches.
  template <unsigned Phase, class Work>
  void time_stretch(PhaseSample& sample, Work work) const noexcept {
    sample.begin = host::read_clock(options_.clock);
    host::mark_phase_begin<Phase>();
    work();
    host::mark_phase_end<Phase>();
    sample.end = host::read_clock(options_.clock);
  }

  /// Adds a stretch to its phase. Stretches come in the order of their time.
  void fold(unsigned phase, const PhaseSample& stretch) noexcept;

  /// Where the batches of `phase` are to be timed, or nullptr.
  BatchTimes* tails(unsigned phase) noexcept { return tails_[phase].recorder(); }

 private:
  Options options_;
  std::span<const PhaseInfo> phases_;
  std::vector<PhaseSample> samples_;
  std::vector<BatchTimes> tails_;
};

/// An Entry's `make` for workload `W`.
template <class W>
std::unique_ptr<Workload> construct(const Options& options) {
  return std::make_unique<W>(options);
}

}  // namespace msgring::workload
