// SPDX-License-Identifier: MIT
#include "msgring/workload/options.hpp"

#include <liburing.h>

namespace msgring::workload {

std::uint32_t setup_flags(RingProfile profile) noexcept {
  switch (profile) {
    case RingProfile::kSingleIssuer:
      return IORING_SETUP_SINGLE_ISSUER;
    case RingProfile::kDeferTaskrun:
      // The kernel demands a single issuer for deferred task work.
      return IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN;
    case RingProfile::kDefault:
      break;
  }
  return 0;
}

std::string_view profile_text(RingProfile profile) noexcept {
  switch (profile) {
    case RingProfile::kSingleIssuer:
      return "single_issuer";
    case RingProfile::kDeferTaskrun:
      return "defer_taskrun";
    case RingProfile::kDefault:
      break;
  }
  return "default";
}

std::string_view option_name(Parameter parameter) noexcept {
  switch (parameter) {
    case Parameter::kSlots:
      return "--slots";
    case Parameter::kFill:
      return "--fill";
    case Parameter::kBatch:
      return "--batch";
    case Parameter::kOperations:
      return "--ops";
    case Parameter::kReplicates:
      return "--replicates";
    case Parameter::kSlotMode:
      return "--slot-mode";
    case Parameter::kTargetCompletion:
      return "--cqe-skip";
    case Parameter::kSourceProfile:
      return "--source-setup";
    case Parameter::kTargetProfile:
      break;
  }
  return "--target-setup";
}

}  // namespace msgring::workload
