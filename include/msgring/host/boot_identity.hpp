// SPDX-License-Identifier: MIT
// BootIdentity: the witnesses that tell one boot, and one kernel, from another.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "msgring/host/root.hpp"

namespace msgring::host {

/// What identifies a boot (boot_id, btime, uptime: together, since each alone has been seen to
/// repeat) and the kernel that was booted (release, build id). A text is "absent (why)" or
/// "unknown (why)", a number is missing, where the machine does not tell.
struct BootIdentity {
  std::string boot_id;
  std::optional<std::int64_t>
      btime_s;                     ///< start of the boot, seconds since 1970, by the guest's clock
  std::optional<double> uptime_s;  ///< seconds since the boot, now
  std::string release;
  std::string build_id;  ///< hexadecimal digits
};

BootIdentity read_boot_identity(const Root& root);

/// The GNU build id in the bytes of an ELF note section, as of /sys/kernel/notes, in hexadecimal;
/// nothing if there is none or the notes are damaged. Little-endian or native 32-bit words.
std::optional<std::string> build_id_of_notes(std::string_view notes);

}  // namespace msgring::host
