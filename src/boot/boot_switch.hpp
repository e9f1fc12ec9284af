// SPDX-License-Identifier: MIT
// Making a real machine boot one kernel once: the entry of its boot loader, or kexec.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "box.hpp"
#include "msgring/boot/kernels.hpp"
#include "msgring/boot/plan.hpp"

namespace msgring::boot {

/// The menu entry of a grub.cfg that loads `release`, as grub-reboot(8) takes it: its id after
/// those of the submenus around it, joined by '>'. Recovery entries do not count.
std::optional<std::string> grub_entry(std::string_view grub_cfg, std::string_view release);

/// The entry of `bootctl list --json=short` that loads `release`, as `bootctl set-oneshot` takes
/// it.
std::optional<std::string> bootctl_entry(std::string_view json, std::string_view release);

/// What a switch needs.
struct SwitchRequest {
  BoxPlan box;
  Kernel kernel;
  std::string command_line;  ///< for kexec: the whole of it
};

/// What switch_kernel() does, as a command line for a person.
std::vector<std::string> switch_line(const SwitchRequest& request);

/// The programs that the box must have for `method`.
std::vector<std::string> switch_programs(BootMethod method);

/// Arms the one boot and sets it off. Every entry is for one boot: a crash falls back to the box's
/// default kernel. Returns when the box has been told, or when its answer was lost, since the
/// connection dies with the boot. Throws BootFailure (kDriverFailed) with the box's own words.
void switch_kernel(Box& box, const SwitchRequest& request, const std::stop_token& stop);

/// Takes back what switch_kernel() arms. Returns a line that says so, or why not.
std::string disarm_kernel(Box& box, BootMethod method);

/// What the box's boot loaders still hold for a next boot: "grub: next_entry=...; ...".
std::string loader_state(Box& box);

}  // namespace msgring::boot
