// SPDX-License-Identifier: MIT
// Attributes of the kernel's clock source.
#pragma once

#include <string_view>

#include "answer.hpp"

namespace msgring::host {

/// The attribute `name` ("current_clocksource", "available_clocksource") in sysfs.
Answer clocksource_attribute(const Root& root, std::string_view name);

}  // namespace msgring::host
