// SPDX-License-Identifier: MIT
// The clock source that the kernel has chosen for its clocks.
#pragma once

#include <string>

#include "msgring/host/root.hpp"

namespace msgring::host {

/// The kernel's clock source now: "tsc", or "absent (why)" or "unknown (why)" where it does not
/// say. It may change at any time: the kernel gives a TSC up that it finds unstable.
std::string clock_source(const Root& root);

}  // namespace msgring::host
