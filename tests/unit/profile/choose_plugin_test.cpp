// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <filesystem>

#include "msgring/profile/plugin.hpp"
#include "sample.hpp"

namespace msgring::profile {
namespace {

using testing::HasSubstr;

const std::vector<std::filesystem::path> kBuilt{MSGRING_BUILD_DIR};
constexpr const char* kVersion = "QEMU emulator version 12.0.0";

TEST(ChoosePlugin, TakesTheOneThatQemuAccepts) {
  const ProgramRunner run = [](const std::vector<std::string>& arguments) -> std::string {
    return arguments.back().find("api1") != std::string::npos
               ? "msgring plugin: interface 1 fits 0 to 1\nCould not load plugin: returned 1\n"
               : "Could not load plugin api3.so: undefined symbol: qemu_plugin_scoreboard_find\n";
  };
  EXPECT_EQ(choose_plugin("qemu", kVersion, kBuilt, run).filename(), "msgring_profile_api1.so");
}

TEST(ChoosePlugin, NamesAQemuThatTakesNone) {
  const ProgramRunner run = [](const std::vector<std::string>&) -> std::string {
    return "qemu: note\nCould not load plugin x: plugin requires API version 3, but this QEMU "
           "supports only a minimum version of 9\nmore\n";
  };
  const std::string line = error_line([&] { choose_plugin("qemu", kVersion, kBuilt, run); });
  EXPECT_THAT(line, HasSubstr("profiler: QEMU emulator version 12.0.0 takes none of msgring's "
                              "plugins: Could not load plugin x: plugin requires API version 3"));
  EXPECT_THAT(line, HasSubstr("; msgring profiles with QEMU 7.2 to 8.2 and 9.1 to 10.x"));
  EXPECT_EQ(line.find('\n'), std::string::npos);
}

TEST(ChoosePlugin, SaysWhichFilesAreMissing) {
  const ProgramRunner run = [](const std::vector<std::string>&) { return std::string(); };
  EXPECT_THAT(error_line([&] { choose_plugin("qemu", kVersion, {"/nonexistent"}, run); }),
              HasSubstr("no plugin msgring_profile_api1.so beside the program"));
}

TEST(ChoosePlugin, CommasInPathsAreDoubled) {
  EXPECT_THAT(plugin_arguments("/a,b/p.so", "/c,d", 3, 15),
              testing::ElementsAre("-plugin", "/a,,b/p.so,out=/c,,d,warmup=3,rounds=15"));
}

}  // namespace
}  // namespace msgring::profile
