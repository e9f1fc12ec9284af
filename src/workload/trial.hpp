// SPDX-License-Identifier: MIT
// Does this kernel do what a workload needs? Found out by doing it once, never by version.
#pragma once

#include <cstdint>
#include <string>

#include "msgring/uring/ring.hpp"
#include "workload/batch.hpp"

namespace msgring::workload {

/// What one operation did.
struct Trial {
  std::int32_t result;
  bool at_once;  ///< it was complete when the call that submitted it came back
};

/// Submits one operation on an idle ring and waits for it. Throws std::system_error if the call
/// fails, Error (invalid) if the operation does not complete in time.
Trial try_operation(uring::Ring& ring, const SqeShape& shape);

/// The same, and throws unless the result is `due`: Error (environment) with `what` and `hint`
/// (which kernel has it) where the kernel does not know the operation, Error (invalid) where it
/// does something else.
Trial demand_operation(uring::Ring& ring, const SqeShape& shape, std::int32_t due,
                       const std::string& what, const std::string& hint);

/// A ring, or Error (environment) where this kernel refuses its set-up flags.
uring::Ring demand_ring(const uring::RingSetup& setup, const std::string& role,
                        const std::string& hint);

}  // namespace msgring::workload
