// SPDX-License-Identifier: MIT
// The names of outcomes and phases; kernels of this machine.
#include "msgring/boot/driver.hpp"

#include "msgring/host/sha256.hpp"

namespace msgring::boot {

std::string_view outcome_text(Outcome outcome) {
  switch (outcome) {
    case Outcome::kMeasured:
      return "measured";
    case Outcome::kNoBoot:
      return "no-boot";
    case Outcome::kGuestPanic:
      return "guest-panic";
    case Outcome::kGuestHang:
      return "guest-hang";
    case Outcome::kBenchFailed:
      return "bench-failed";
    case Outcome::kResultDamaged:
      return "result-damaged";
    case Outcome::kTimeout:
      return "timeout";
    case Outcome::kRestarted:
      return "restarted";
    case Outcome::kDriverFailed:
      break;
  }
  return "driver-failed";
}

Kernel Driver::find_kernel(const std::string& name, const KernelCache& cache) {
  return cache.resolve(name);
}

std::string Driver::kernel_digest(const Kernel& kernel) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(kernel.image, ignored)
             ? host::sha256_of_file(kernel.image)
             : "";
}

std::string_view phase_text(BootPhase phase) {
  switch (phase) {
    case BootPhase::kBoot:
      return "boot";
    case BootPhase::kSettle:
      return "settle";
    case BootPhase::kMeasure:
      return "measure";
    case BootPhase::kPowerOff:
      break;
  }
  return "power-off";
}

std::chrono::seconds Deadlines::of(BootPhase phase) const noexcept {
  switch (phase) {
    case BootPhase::kBoot:
      return boot;
    case BootPhase::kSettle:
      return settle;
    case BootPhase::kMeasure:
      return measure;
    case BootPhase::kPowerOff:
      break;
  }
  return power_off;
}

}  // namespace msgring::boot
