// SPDX-License-Identifier: MIT
// The kernels that are installed on a real machine.
#pragma once

#include <string>
#include <vector>

#include "box.hpp"
#include "msgring/boot/kernels.hpp"

namespace msgring::boot {

/// The newest of `releases` that `name` is or begins, or a path that ends in vmlinuz-RELEASE.
/// Throws Error (kUsage) that lists what is there.
Kernel choose_box_kernel(const std::string& name, const std::vector<std::string>& releases);

/// What /boot/vmlinuz-* of the box has. Throws Error (kEnvironment).
std::vector<std::string> box_releases(Box& box);

}  // namespace msgring::boot
