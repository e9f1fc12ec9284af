// SPDX-License-Identifier: MIT
// An initramfs holds the program, its loader and its libraries, and is the same every time.
#include "msgring/boot/initramfs.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "boot/archive.hpp"
#include "msgring/error.hpp"
#include "msgring/host/temporary_folder.hpp"
#include "msgring/host/whole_file.hpp"

namespace msgring::boot {
namespace {

const std::filesystem::path kThisProgram = "/proc/self/exe";
const std::filesystem::path kSmallProgram = "/bin/true";

std::map<std::string, std::string> entries_of(const std::string& archive) {
  std::map<std::string, std::string> entries;
  visit_archive(archive, "archive", [&](const std::string& path, const auto& read_all) {
    entries[path] = read_all();
    return true;
  });
  return entries;
}

TEST(ResolveProgram, FindsLoaderAndLibraries) {
  const ProgramFiles files = resolve_program(std::filesystem::read_symlink(kThisProgram));
  EXPECT_TRUE(std::filesystem::exists(files.interpreter));
  EXPECT_THAT(files.libraries,
              ::testing::Contains(::testing::ResultOf(
                  [](const auto& path) { return path.filename().native(); }, "libc.so.6")));
}

TEST(ResolveProgram, RefusesWhatIsNoProgramOfThisMachine) {
  const host::TemporaryFolder folder("msgring-test");
  const auto script = folder.path() / "script";
  std::ofstream(script) << "#!/bin/sh\n";
  EXPECT_THROW(resolve_program(script), Error);
  std::string other = host::read_file(kThisProgram).substr(0, 4096);
  other[18] = 0x28;  // e_machine: 32-bit ARM
  other[19] = 0;
  std::ofstream(script) << other;
  EXPECT_THROW(resolve_program(script), Error);
  std::ofstream(script) << host::read_file(kThisProgram).substr(0, 40);
  EXPECT_THROW(resolve_program(script), Error);
  EXPECT_THROW(resolve_program("/nowhere"), std::system_error);
}

TEST(MakeInitramfs, HoldsEverythingThatTheProgramNeeds) {
  const auto program = std::filesystem::read_symlink(kThisProgram);
  const auto entries = entries_of(make_initramfs(program));
  EXPECT_EQ(entries.at("init"), host::read_file(program));
  const ProgramFiles files = resolve_program(program);
  EXPECT_EQ(entries.at(files.interpreter.relative_path()), host::read_file(files.interpreter));
  for (const char* name : {"dev", "proc", "sys", "dev/console"}) {
    EXPECT_EQ(entries.count(name), 1U) << name;
  }
  for (const auto& library : files.libraries) {
    EXPECT_THAT(entries, ::testing::Contains(
                             ::testing::Pair(::testing::EndsWith("/" + library.filename().native()),
                                             host::read_file(library))));
  }
}

TEST(MakeInitramfs, GivesTheSameBytesEveryTime) {
  const auto& program = kSmallProgram;
  EXPECT_EQ(make_initramfs(program), make_initramfs(program));
  const std::string compressed = make_initramfs(program, Compression::kGzip);
  EXPECT_EQ(compressed.substr(0, 2), "\x1F\x8B");
  // gzip's time stamp, bytes 4 to 7 (RFC 1952), says "none".
  EXPECT_EQ(compressed.substr(4, 4), std::string(4, '\0'));
  EXPECT_EQ(entries_of(compressed), entries_of(make_initramfs(program)));
}

TEST(MakeSmallArchive, HoldsFilesWithTheirFoldersAndEndsOnAFourByteBoundary) {
  const std::string archive =
      make_small_archive({{"msgring.guest", "x\n"}, {"boot/config-1", "y"}});
  EXPECT_EQ(entries_of(archive),
            (std::map<std::string, std::string>{
                {"boot", ""}, {"boot/config-1", "y"}, {"msgring.guest", "x\n"}}));
  // The kernel looks for the next archive at a multiple of four.
  EXPECT_EQ(archive.size() % 4, 0U);
  EXPECT_EQ(make_initramfs(kSmallProgram).size() % 4, 0U);
}

}  // namespace
}  // namespace msgring::boot
