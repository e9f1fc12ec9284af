// SPDX-License-Identifier: MIT
// Which plugin a QEMU accepts, found out by asking it.
#include <fmt/format.h>

#include <array>
#include <string_view>
#include <system_error>

#include "msgring/error.hpp"
#include "msgring/profile/plugin.hpp"

namespace msgring::profile {
namespace {

/// One object for each family of QEMU's plugin interface, the newest first.
constexpr std::array kPlugins{std::string_view("msgring_profile_api3.so"),
                              std::string_view("msgring_profile_api1.so")};
constexpr std::string_view kServed = "msgring profiles with QEMU 7.2 to 8.2 and 9.1 to 10.x";

/// QEMU's option syntax doubles a comma that belongs to a value.
std::string escaped(const std::filesystem::path& path) {
  std::string text;
  for (const char letter : path.native()) {
    text += letter == ',' ? ",," : std::string(1, letter);
  }
  return text;
}

/// The line of `errors` that says why a plugin was not loaded.
std::string refusal(std::string_view errors) {
  for (const std::string_view sign : {"Could not load plugin", "-plugin", "plugin"}) {
    const std::size_t at = errors.find(sign);
    if (at != std::string_view::npos) {
      const std::size_t begin = errors.rfind('\n', at) + 1;
      return std::string(errors.substr(begin, errors.find('\n', at) - begin));
    }
  }
  return std::string(errors.substr(0, errors.find('\n')));
}

}  // namespace

std::vector<std::filesystem::path> plugin_folders() {
  std::error_code ignored;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  const std::filesystem::path here = program.parent_path();
  return {here, here / ".." / "lib" / "msgring"};
}

std::filesystem::path choose_plugin(const std::string& qemu, const std::string& qemu_version,
                                    const std::vector<std::filesystem::path>& folders,
                                    const ProgramRunner& run) {
  std::string why;
  for (const std::string_view name : kPlugins) {
    for (const std::filesystem::path& folder : folders) {
      std::filesystem::path plugin = folder / name;
      if (!std::filesystem::exists(plugin)) {
        continue;
      }
      const std::string errors = run({qemu, "-M", "none", "-display", "none", "-nodefaults",
                                      "-plugin", fmt::format("{},probe=on", escaped(plugin))});
      if (errors.find("msgring plugin: interface") != std::string::npos) {
        return plugin;
      }
      why = refusal(errors);
      break;
    }
  }
  if (why.empty()) {
    throw Error(ExitStatus::kEnvironment,
                fmt::format("profiler: no plugin {} beside the program", kPlugins.back()),
                "build the targets msgring_profile_api1 and msgring_profile_api3");
  }
  throw Error(ExitStatus::kEnvironment,
              fmt::format("profiler: {} takes none of msgring's plugins: {}", qemu_version, why),
              std::string(kServed));
}

std::vector<std::string> plugin_arguments(const std::filesystem::path& plugin,
                                          const std::filesystem::path& out, std::uint32_t warmup,
                                          std::uint32_t rounds) {
  return {"-plugin", fmt::format("{},out={},warmup={},rounds={}", escaped(plugin), escaped(out),
                                 warmup, rounds)};
}

}  // namespace msgring::profile
