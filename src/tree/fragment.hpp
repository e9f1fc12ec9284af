// SPDX-License-Identifier: MIT
// What is added to tinyconfig.
#pragma once

#include <string_view>

namespace msgring::tree {

/// The text of kernel.config.
std::string_view config_fragment();

}  // namespace msgring::tree
