// SPDX-License-Identifier: MIT
// What a workload can be asked for. Every value has been validated before it stands here.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
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

/// Is every batch timed by itself (`--tails`)? That takes two clock reads a batch.
enum class Tails { kOff, kPerBatch };

/// Sizes are counts, times are seconds. The defaults are the reported shape; a workload with
/// another one says so in its registry entry.
struct Options {
  std::uint32_t slots = 4096;           ///< entries of the target's fixed-file table
  std::uint32_t batch = 64;             ///< SQEs per io_uring_enter; the last batch may be shorter
  std::optional<std::uint32_t> fill{};  ///< installs into the table, at most `slots`; none: all
  std::uint32_t operations = 65'536;    ///< where the table's size does not say it (`--ops`)
  std::uint32_t replicates = 128;       ///< pairs of fills that make one round of `cache`
  SlotMode slot_mode = SlotMode::kAlloc;
  TargetCompletion target_completion = TargetCompletion::kPosted;
  RingProfile source_profile = RingProfile::kDefault;
  RingProfile target_profile = RingProfile::kDefault;
  host::ClockKind clock = host::ClockKind::kMonotonicRaw;
  Tails tails = Tails::kOff;
  std::uint32_t timeout_s = 5;  ///< how long one io_uring_enter may wait for its batch
};

/// How many installs the options ask for.
constexpr std::uint32_t installs_of(const Options& options) noexcept {
  return options.fill.value_or(options.slots);
}

/// What a workload's shape may depend on, each an option of the command line. The rest (clock,
/// tails, rounds) goes with every workload.
enum class Parameter {
  kSlots,
  kFill,
  kBatch,
  kOperations,
  kReplicates,
  kSlotMode,
  kTargetCompletion,
  kSourceProfile,
  kTargetProfile
};

inline constexpr std::array kAllParameters{Parameter::kSlots,
                                           Parameter::kFill,
                                           Parameter::kBatch,
                                           Parameter::kOperations,
                                           Parameter::kReplicates,
                                           Parameter::kSlotMode,
                                           Parameter::kTargetCompletion,
                                           Parameter::kSourceProfile,
                                           Parameter::kTargetProfile};

/// The option that sets it: "--slots".
std::string_view option_name(Parameter parameter) noexcept;

}  // namespace msgring::workload
