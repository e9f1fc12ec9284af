// SPDX-License-Identifier: MIT
// The configuration that the running kernel was built with, and what it says.
#pragma once

#include <string_view>

#include "answer.hpp"

namespace msgring::host {

/// `text` is the configuration, unpacked; `source` the file that it came from.
struct KernelConfig {
  Answer text;
  std::string source;
};

/// From /proc/config.gz, else /boot/config-<release>, else /lib/modules/<release>/config.
KernelConfig read_kernel_config(const Root& root);

/// Does the configuration say CONFIG_<name>=y? False also where there is no configuration.
bool is_built_in(const KernelConfig& config, std::string_view name);

}  // namespace msgring::host
