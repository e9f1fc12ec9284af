// SPDX-License-Identifier: MIT
// The same with a box of one's own, for tests.
#pragma once

#include "box.hpp"
#include "msgring/boot/local.hpp"

namespace msgring::boot {

std::vector<std::string> abort_local_run(const LocalStore& store, const ResumeUnitFile& unit,
                                         Box& box);

}  // namespace msgring::boot
