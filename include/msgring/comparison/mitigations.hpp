// SPDX-License-Identifier: MIT
// What `cpu.mitigations` says, vulnerability by vulnerability.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace msgring::comparison {

/// Reads "NAME: STATE | NAME: STATE | ..." (the files of /sys/devices/system/cpu/vulnerabilities).
///
/// Vulnerabilities that do not affect the CPU are left out: a kernel that knows of one more of
/// them does nothing about it, so it is no difference from a kernel that does not.
std::map<std::string, std::string> mitigations_in(std::string_view text);

/// The same as text: "NAME: STATE | NAME: STATE"; "none needed" when nothing is left.
std::string mitigations_text(std::string_view text);

}  // namespace msgring::comparison
