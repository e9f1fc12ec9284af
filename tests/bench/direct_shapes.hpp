// SPDX-License-Identifier: MIT
// The shapes that direct_open and direct_socket are tried in.
#pragma once

#include <vector>

#include "kernel.hpp"

namespace msgring::workload::testing_kernel {

inline std::vector<Shape> direct_shapes() {
  const auto sized = [](const char* name, std::uint32_t slots, std::uint32_t batch) {
    Options options;
    options.slots = slots;
    options.batch = batch;
    return Shape{name, options, {slots}, calls_for(slots, batch)};
  };
  Shape explicit_slots = sized("explicit_slots", 100, 64);
  explicit_slots.options.slot_mode = SlotMode::kExplicit;
  Shape deferred = sized("deferred", 100, 64);
  deferred.options.source_profile = RingProfile::kDeferTaskrun;
  return {sized("large", 1000, 64),           sized("one_slot", 1, 1), sized("batch_of_one", 50, 1),
          sized("batch_above_table", 10, 64), explicit_slots,          deferred};
}

}  // namespace msgring::workload::testing_kernel
