// SPDX-License-Identifier: MIT
#include "workload/target_fill.hpp"

#include "workload/read_back.hpp"

namespace msgring::workload {

TargetFill::TargetFill(const Options& options, std::span<const PhaseInfo> phases,
                       std::uint32_t installs, std::uint8_t files)
    : PhasedWorkload(options, phases, installs),
      sender_(options, installs, files),
      fill_{installs} {}

void TargetFill::aim(std::uint8_t file) noexcept {
  sender_.restart();
  fill_.file = file;
  fill_ = sender_.aim(*target_, fill_);
}

SlotSet TargetFill::check_sent(CheckReport& report) {
  SlotSet filled(options().slots, false);
  sender_.check(report);
  sender_.check_fill(fill_, filled, report);
  return filled;
}

void TargetFill::prove_target(const SlotSet& filled, CheckReport& report) {
  read_back_table(*target_, contents_of(filled, fill_.file), sender_.round(), options().timeout_s,
                  report);
  check_ring(state_of(*target_), report);
}

}  // namespace msgring::workload
