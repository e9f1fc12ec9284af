// SPDX-License-Identifier: MIT
// The QEMU plugin: which object fits which QEMU, and how it is asked for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace msgring::profile {

/// Runs a program to its end and returns its standard error.
using ProgramRunner = std::function<std::string(const std::vector<std::string>& arguments)>;

/// The folders in which plugins are looked for: beside the running program, and where they are
/// installed.
std::vector<std::filesystem::path> plugin_folders();

/// Asks `qemu` to load each of msgring's plugins and takes the first that it accepts: QEMU says
/// itself which interface it speaks. Throws Error (kEnvironment) that names QEMU's version
/// (`qemu_version`, its own line) and why, when none fits or none is there.
std::filesystem::path choose_plugin(const std::string& qemu, const std::string& qemu_version,
                                    const std::vector<std::filesystem::path>& folders,
                                    const ProgramRunner& run);

/// QEMU's arguments for a profiled boot: every phase's rounds from `warmup` on, `rounds` of them,
/// go to the new file `out`. Both numbers are at least 1, since the first round is where counting
/// is switched on.
std::vector<std::string> plugin_arguments(const std::filesystem::path& plugin,
                                          const std::filesystem::path& out, std::uint32_t warmup,
                                          std::uint32_t rounds);

}  // namespace msgring::profile
