// SPDX-License-Identifier: MIT
#include "kernel_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "git.hpp"
#include "msgring/boot/qemu.hpp"
#include "msgring/error.hpp"
#include "msgring/tree/builder.hpp"

namespace msgring::tree {
namespace {

constexpr std::string_view kPrefix = "CONFIG_";

/// "CONFIG_MEMCG" and "n"; empty names for what is no assignment.
std::pair<std::string, std::string> split(const std::string& line) {
  const std::size_t equals = line.find('=');
  const std::string name = line.substr(0, equals);
  const bool is_name =
      name.size() > kPrefix.size() && name.rfind(kPrefix, 0) == 0 &&
      name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") ==
          std::string::npos;
  if (!is_name || equals == std::string::npos || equals + 1 == line.size()) {
    return {};
  }
  return {name, line.substr(equals + 1)};
}

std::string value_in(const std::map<std::string, std::string>& options, const std::string& name) {
  const auto found = options.find(name);
  return found == options.end() ? "n" : found->second;
}

}  // namespace

std::map<std::string, std::string> parse_config(std::string_view config) {
  std::map<std::string, std::string> options;
  for (const std::string& line : lines_of(std::string(config))) {
    if (auto [name, value] = split(line); !name.empty() && value != "n") {
      options[name] = value;
    }
  }
  return options;
}

std::string normalized_config(std::string_view config) {
  std::string text;
  for (const auto& [name, value] : parse_config(config)) {
    text += fmt::format("{}={}\n", name, value);
  }
  return text;
}

std::string config_line(const std::string& change) {
  const auto [name, value] = split(change);
  if (name.empty() || change.find('\n') != std::string::npos) {
    throw Error(ExitStatus::kUsage, fmt::format("configuration: '{}' sets no option", change),
                "write it as CONFIG_MEMCG=n, CONFIG_NR_CPUS=4 or CONFIG_NAME=\"text\"");
  }
  return value == "n" ? fmt::format("# {} is not set\n", name) : change + "\n";
}

void check_changes(const std::vector<std::string>& changes) {
  const std::vector<std::string> needed = boot::missing_in_config("");
  for (const std::string& change : changes) {
    const auto [name, value] = split(change);
    for (const std::string& missing : needed) {
      if (value != "y" && missing.rfind(name + "=", 0) == 0) {
        throw Error(ExitStatus::kUsage,
                    fmt::format("configuration: {} was asked for, and a measured guest needs {}=y",
                                change, name),
                    "leave it on");
      }
    }
  }
}

void check_config(std::string_view config, const std::vector<std::string>& changes) {
  const std::vector<std::string> missing = boot::missing_in_config(config);
  if (!missing.empty()) {
    throw Error(ExitStatus::kUsage,
                fmt::format("configuration: olddefconfig leaves {}, which a measured guest needs",
                            fmt::join(missing, ", ")),
                "set it to y with all that it depends on");
  }
  const auto options = parse_config(config);
  std::map<std::string, std::string> wanted;
  for (const std::string& change : changes) {
    const auto [name, value] = split(change);
    wanted[name] = value;
  }
  for (const auto& [name, value] : wanted) {
    if (const std::string is = value_in(options, name); is != value) {
      throw Error(ExitStatus::kUsage,
                  fmt::format("configuration: {}={} was asked for, olddefconfig leaves {}={}", name,
                              value, name, is),
                  "another option selects it, or one that it depends on is off");
    }
  }
}

std::vector<ConfigDifference> config_differences(std::string_view a, std::string_view b) {
  const auto options_a = parse_config(a);
  const auto options_b = parse_config(b);
  std::set<std::string> names;
  for (const auto* options : {&options_a, &options_b}) {
    for (const auto& [name, value] : *options) {
      names.insert(name);
    }
  }
  std::vector<ConfigDifference> differences;
  for (const std::string& name : names) {
    ConfigDifference difference{name, value_in(options_a, name), value_in(options_b, name)};
    if (difference.a != difference.b) {
      differences.push_back(std::move(difference));
    }
  }
  return differences;
}

}  // namespace msgring::tree
