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

}  // namespace msgring::workload
