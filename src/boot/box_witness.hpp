// SPDX-License-Identifier: MIT
// Which boot of which kernel a real machine is in, and whether that is the one asked for.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "box.hpp"
#include "msgring/boot/driver.hpp"
#include "msgring/host/boot_identity.hpp"

namespace msgring::boot {

struct Witness {
  host::BootIdentity boot;
  std::string command_line;  ///< of the kernel
};

/// Asks the box. Throws Error (kEnvironment) that begins with `what` when it says nothing of its
/// boot.
Witness demand_witness(Box& box, std::string_view what);

/// What to run on the box, and its output understood. Nothing for a cut or foreign text.
std::vector<std::string> witness_command();
std::optional<Witness> parse_witness(std::string_view text);

enum class Arrival {
  kOldBoot,        ///< still the boot that was to end
  kFresh,          ///< another boot: all witnesses agree
  kContradiction,  ///< boot_id says one thing, btime or uptime another
};

/// `since_before`: how long ago `before` was read. One witness alone has been seen to lie (boot_id
/// that repeats, or that changes in a container), so a fresh boot needs another boot_id, another
/// btime, and an uptime that fits into that time.
Arrival judge_arrival(const Witness& before, const Witness& now,
                      std::chrono::duration<double> since_before);

/// What was asked for.
struct WantedKernel {
  std::string release;
  std::string command_line;  ///< must be found in the kernel's; empty: the boot loader's affair
};

/// Did a kexec by msgring start this kernel?
bool came_by_kexec(const Witness& now);

/// Why `now` is not what was asked for; empty when it is.
std::string wrong_kernel(const WantedKernel& wanted, const Witness& now);

/// One line: both boots with their witnesses.
std::string boot_proof(const Witness& before, const Witness& now,
                       std::chrono::duration<double> since_before);

/// The command line with which a box may be booted again: without what its boot loader
/// (BOOT_IMAGE), an earlier kexec (acpi_rsdp, elfcorehdr) or msgring added.
std::string base_command_line(std::string_view command_line);

/// The one with which a run began, else that of the boot that the box is in.
std::string base_command_line(const DriverMemory& memory, const Witness& now);

/// `base`, a mark that only a kexec by msgring leaves, and what the role adds.
std::string kexec_command_line(const std::string& base, const std::string& append);

}  // namespace msgring::boot
