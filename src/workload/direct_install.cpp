// SPDX-License-Identifier: MIT
#include "workload/direct_install.hpp"

#include <fmt/format.h>

#include <system_error>

#include "msgring/error.hpp"

namespace msgring::workload {
namespace {}  // namespace

DirectInstall::DirectInstall(const Options& options)
    : PhasedWorkload(options, kDirectPhases, options.slots),
      runner_(options, options.slots, Streams::kSource) {}

uring::Ring DirectInstall::make_ring(std::uint32_t slots, const char* role) const {
  uring::Ring ring(submitting_ring(options().batch, options().source_profile), role);
  ring.register_sparse_files(slots);
  return ring;
}

void DirectInstall::demand(const SqeShape& shape, const std::string& what,
                           const std::string& hint) {
  try {
    uring::Ring ring = make_ring(1, "ring (trial)");
    at_once_ = demand_operation(ring, shape, 0, what, hint).at_once;
  } catch (const std::system_error& error) {
    throw Error(ExitStatus::kEnvironment, error.what(), hint);
  }
}

void DirectInstall::prepare() {
  ring_.emplace(make_ring(options().slots, "ring"));
  runner_.restart();
  runner_.aim(*ring_, nullptr, shape(), options().slots);
  expect({options().slots});
}

void DirectInstall::run() noexcept {
  const std::uint64_t base = runner_.source_base();
  const bool automatic = options().slot_mode == SlotMode::kAlloc;
  time_phase<0>([&] {
    if (automatic) {
      runner_.run(tails(0), [=](io_uring_sqe& sqe, std::uint32_t number) noexcept {
        sqe.user_data = base + number;
      });
    } else {
      runner_.run(tails(0), [=](io_uring_sqe& sqe, std::uint32_t number) noexcept {
        sqe.user_data = base + number;
        sqe.file_index = number + 1;  // the kernel counts slots from 1 here
      });
    }
  });
}

void DirectInstall::check(CheckReport& report) {
  SlotSet filled(options().slots, false);
  runner_.check(report);
  const SlotReport slots =
      options().slot_mode == SlotMode::kAlloc ? SlotReport::kSender : SlotReport::kNeither;
  check_installs(runner_.source_results(), {}, {options().slots, slots, 0, result_text}, filled,
                 report);
  check_all_filled(filled, report);
  prove(*ring_, filled, runner_.round(), report);
  check_ring(state_of(*ring_), report);
}

std::vector<std::pair<std::string, std::string>> DirectInstall::facts() const {
  return {{"setup_flags", fmt::format("{:#x}", setup_flags(options().source_profile))},
          {"completes", at_once_ ? "at once" : "from a kernel worker"}};
}

}  // namespace msgring::workload
