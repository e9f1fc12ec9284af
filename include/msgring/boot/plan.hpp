// SPDX-License-Identifier: MIT
// The sandwich plan: which kernels are booted, in which order, how often, to measure what.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "msgring/boot/driver.hpp"
#include "msgring/boot/qemu.hpp"
#include "msgring/host/clock.hpp"

namespace msgring::boot {

/// The fact that holds an image's SHA-256.
inline constexpr const char* kImageDigestFact = "boot.image_sha256";

/// One side of the comparison.
struct RolePlan {
  char letter = 'A';   ///< 'A' is the baseline
  std::string kernel;  ///< a path to an image, or a version such as "6.12"
  std::string append;  ///< added to the kernel's command line
  /// What is known of an image by its path: for the context of every point of this role, keys in
  /// the group "boot.". With kImageDigestFact the image must still be that one.
  std::map<std::string, std::string> facts = {};
  bool operator==(const RolePlan&) const = default;
};

/// What boots the kernels.
enum class DriverKind { kQemu, kSsh, kLocal };

/// How a real machine is made to boot another kernel, once.
enum class BootMethod {
  kKexec,        ///< kexec(8), past the firmware
  kGrub,         ///< grub-reboot(8)
  kSystemdBoot,  ///< bootctl(1) set-oneshot
  kCommand,      ///< a program of the user's, here, called with host ("localhost") and release
};

/// A real machine, and how it is booted.
struct BoxPlan {
  std::string host;  ///< as ssh(1) takes it; empty for kLocal
  BootMethod boot = BootMethod::kKexec;
  std::string boot_command;  ///< for kCommand: the program
  std::string ssh_config;    ///< a configuration file for ssh; empty: the user's own
  bool tune = false;         ///< quiet it with tune-host while it measures
  bool operator==(const BoxPlan&) const = default;
};

/// Everything that a run does. Two runs of one plan differ only in what they measure.
struct Plan {
  std::vector<RolePlan> roles;
  std::string order = "ABA";                     ///< a letter per boot
  unsigned repeat = 1;                           ///< how often the order is gone through
  std::vector<std::uint32_t> seeds = {1, 2, 3};  ///< each is a sandwich of its own; not for ns
  UnitChoice unit = UnitChoice::kAuto;
  unsigned jobs = 0;  ///< boots at once; 0 is one a CPU. One, whatever it says, where time counts
  unsigned memory_mib = 512;
  unsigned retries = 2;  ///< further tries of a boot that was lost
  Deadlines deadlines;
  std::vector<std::string> arguments;  ///< the benchmark's
  DriverKind driver = DriverKind::kQemu;
  BoxPlan box;  ///< without meaning for kQemu

  const RolePlan& role(char letter) const;
};

/// A pattern of A and B made a sandwich for each further role: ABBA of A, B and C is ABBAACCA. Any
/// other order stays as it is.
std::string order_for(std::string_view pattern, const std::vector<RolePlan>& roles);

/// Throws Error (kUsage) for a plan that cannot be carried out: a letter without a kernel, a kernel
/// without a boot, a number out of its range. `source` begins the message.
void check_plan(const Plan& plan, std::string_view source);

/// Reads a plan from TOML. Throws Error (kUsage) with line and column for what is no plan: unknown
/// keys and wrong types included. What is left out has its default.
///
///     order = "ABA"              [roles.A]
///     repeat = 1                 kernel = "6.12"
///     seeds = [1, 2, 3]          [roles.B]
///     unit = "instructions"      kernel = "7.1"
///     arguments = ["--slots", "4096"]   append = "slab_nomerge"
///                                [roles.B.facts]
///                                "boot.revision" = "HEAD"
///     [deadlines]                # seconds: boot, settle, measure, power_off
///     driver = "ssh"             # or local; else qemu, and no [box]
///     [box]                      # host, boot = "kexec|grub|systemd-boot|command", boot_command,
///                                # ssh_config, tune
Plan parse_plan(std::string_view text, std::string_view source);

/// The plan as TOML, which parse_plan() reads back as the same plan.
std::string plan_text(const Plan& plan);

/// "auto", "ns", "instructions"; and back, Error (kUsage) for another word.
std::string_view unit_choice_text(UnitChoice choice);
UnitChoice parse_unit_choice(std::string_view text, std::string_view source);

/// "qemu", "ssh", "local"; and back, Error (kUsage) for another word.
std::string_view driver_text(DriverKind driver);
DriverKind parse_driver(std::string_view text, std::string_view source);

/// "kexec", "grub", "systemd-boot", "command"; and back, Error (kUsage) for another word.
std::string_view boot_method_text(BootMethod method);
BootMethod parse_boot_method(std::string_view text, std::string_view source);

/// One boot of the plan.
struct PlannedBoot {
  std::string name;  ///< "s1-02-B", or "02-B" where seeds have no meaning; unique in the run
  char role = 'A';
  unsigned position = 1;   ///< in its sandwich, from 1
  unsigned block = 0;      ///< boots of one block are balanced: used together, or not at all
  std::uint32_t seed = 0;  ///< 0 where seeds have no meaning
  bool operator==(const PlannedBoot&) const = default;
};

/// All boots, in the order in which they begin. With kInstructions every seed has its own sandwich.
std::vector<PlannedBoot> planned_boots(const Plan& plan, host::Unit unit);

}  // namespace msgring::boot
