// SPDX-License-Identifier: MIT
// What a workload can be asked for. Every value has been validated before it stands here.
#pragma once

#include <cstdint>
#include <string_view>

#include "msgring/host/clock.hpp"

namespace msgring::workload {

/// Who picks the slot of an install.
enum class SlotMode { kAlloc, kExplicit };

/// Does an install post a completion to the target ring (IORING_MSG_RING_CQE_SKIP if not)?
enum class TargetCompletion { kPosted, kSkipped };

/// Ring set-up profiles of `--source-setup` and `--target-setup`.
enum class RingProfile { kDefault, kSingleIssuer, kDeferTaskrun };

/// The IORING_SETUP_* flags of a profile.
std::uint32_t setup_flags(RingProfile profile) noexcept;

/// The profile as the options spell it: "default", "single_issuer", "defer_taskrun".
std::string_view profile_text(RingProfile profile) noexcept;

/// Sizes are counts, times are seconds. The defaults are the reported shape.
struct Options {
  std::uint32_t slots = 4096;  ///< entries of the target's fixed-file table
  std::uint32_t batch = 64;    ///< SQEs per io_uring_enter; the last batch may be shorter
  SlotMode slot_mode = SlotMode::kAlloc;
  TargetCompletion target_completion = TargetCompletion::kPosted;
  RingProfile source_profile = RingProfile::kDefault;
  RingProfile target_profile = RingProfile::kDefault;
  host::ClockKind clock = host::ClockKind::kMonotonicRaw;
  std::uint32_t timeout_s = 5;  ///< how long one io_uring_enter may wait for its batch
};

}  // namespace msgring::workload
