// SPDX-License-Identifier: MIT
#include "clocksource.hpp"

#include <fmt/format.h>

#include "msgring/host/clock_source.hpp"

namespace msgring::host {

Answer clocksource_attribute(const Root& root, std::string_view name) {
  return attribute(root, fmt::format("/sys/devices/system/clocksource/clocksource0/{}", name),
                   "no clocksource in sysfs");
}

std::string clock_source(const Root& root) {
  return text_of(clocksource_attribute(root, "current_clocksource"));
}

}  // namespace msgring::host
