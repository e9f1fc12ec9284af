// SPDX-License-Identifier: MIT
// Cold or warm: what a ring had been through before a fill, and the check and figures of pairs.
#pragma once

#include <cstdint>
#include <span>

#include "msgring/workload/check_report.hpp"
#include "workload/checks.hpp"

namespace msgring::workload {

/// `kCold`: the first fill of a new ring. `kWarm`: the ring filled a table of the same size before,
/// which was unregistered, so that whatever the kernel kept of it is there.
enum class Temperature : std::uint8_t { kCold, kWarm };

/// What stood in the log right before a timed fill.
struct FillHistory {
  Temperature claimed;
  int ring_fd;                ///< all rings of a round stay open: another number, another ring
  std::uint32_t posted;       ///< completions ever posted to the ring, by the kernel's own count
  std::int32_t unregistered;  ///< result of taking the first table away; kNoResult: never done
  std::int32_t registered;    ///< result of registering the table to fill
};

/// Every fill must be of the temperature that it is claimed to be. `posted_when_warm`: completions
/// that the first fill of a warm ring posted to it. That a table was there to take away, and that
/// none was there to register over, the kernel says by its results (else ENXIO, EBUSY).
void check_temperatures(std::span<const FillHistory> fills, std::uint32_t posted_when_warm,
                        CheckReport& report);

/// What the pairs say.
struct PairSummary {
  double mean;                 ///< of warm minus cold
  double median;               ///< of the same
  std::uint32_t warm_cheaper;  ///< pairs in which warm took less
};

/// `cold[i]` and `warm[i]` are a pair; at least one. Units as given.
PairSummary summarize_pairs(std::span<const double> cold, std::span<const double> warm);

}  // namespace msgring::workload
