// SPDX-License-Identifier: MIT
// Kernel configurations as text: what is asked for, what came out, what a boot needs.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace msgring::tree {

/// Options that are set, with their values as the file has them: "y", "m", "\"text\"", "12".
std::map<std::string, std::string> parse_config(std::string_view config);

/// One line per option that is set, in order: the same for two files that configure the same.
std::string normalized_config(std::string_view config);

/// A change such as "CONFIG_MEMCG=n" as a line of a .config. Throws Error (kUsage) for what is
/// none.
std::string config_line(const std::string& change);

/// Throws Error (kUsage) for a change that takes away what a measured guest needs.
void check_changes(const std::vector<std::string>& changes);

/// Throws Error (kUsage) that names the option when `config`, as olddefconfig left it, lacks what a
/// measured guest needs, or did not keep one of `changes`.
void check_config(std::string_view config, const std::vector<std::string>& changes);

}  // namespace msgring::tree
