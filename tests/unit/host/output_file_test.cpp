// SPDX-License-Identifier: MIT
// A result file is whole or absent: what cannot work is refused early, what fails leaves nothing.
#include "msgring/host/output_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "msgring/host/file.hpp"
#include "msgring/host/temporary_folder.hpp"
#include "thrown_error.hpp"

namespace msgring::host {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

void put(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path) << text;
}

ThrownError refusal(const std::filesystem::path& path) {
  return error_of([&] { const OutputFile file(path, Overwrite::kRefuse); });
}

TEST(OutputFile, IsAbsentUntilCommittedAndWholeAfterwards) {
  const TemporaryFolder folder("msgring-test");
  const auto path = folder.path() / "p.json";
  {
    OutputFile file(path, Overwrite::kRefuse);
    EXPECT_FALSE(std::filesystem::exists(path));
    file.commit("{}\n");
  }
  EXPECT_EQ(read_text_file(path).text, "{}\n");
  EXPECT_EQ(list_folder(folder.path()).names, std::vector<std::string>{"p.json"});
}

TEST(OutputFile, LeavesNothingWhenWorkIsAbandoned) {
  const TemporaryFolder folder("msgring-test");
  { const OutputFile file(folder.path() / "p.json", Overwrite::kRefuse); }
  EXPECT_TRUE(list_folder(folder.path()).names.empty());
}

TEST(OutputFile, MovedFromFileRemovesNothing) {
  const TemporaryFolder folder("msgring-test");
  OutputFile first(folder.path() / "p.json", Overwrite::kRefuse);
  OutputFile second(std::move(first));
  second.commit("whole");
  EXPECT_EQ(read_text_file(folder.path() / "p.json").text, "whole");
}

TEST(OutputFile, SpaceThatCannotBeReservedIsRefusedBeforeTheWork) {
  const TemporaryFolder folder("msgring-test");
  const auto [status, line] = error_of([&] {
    const OutputFile file(folder.path() / "p.json", Overwrite::kRefuse, "--out", 1ULL << 60U);
  });
  EXPECT_EQ(status, ExitStatus::kEnvironment);
  EXPECT_THAT(line, HasSubstr("cannot reserve 1152921504606846976 bytes"));
  EXPECT_TRUE(list_folder(folder.path()).names.empty());
}

TEST(OutputFile, RefusesExistingFileAndLeavesItAlone) {
  const TemporaryFolder folder("msgring-test");
  const auto path = folder.path() / "p.json";
  put(path, "earlier");
  const auto [status, line] = refusal(path);
  EXPECT_EQ(status, ExitStatus::kUsage);
  EXPECT_EQ(line,
            "--out " + path.string() + ": exists; give another name, or --force to replace it");
  EXPECT_EQ(read_text_file(path).text, "earlier");
}

TEST(OutputFile, ForceReplacesOnlyWithWholeFile) {
  const TemporaryFolder folder("msgring-test");
  const auto path = folder.path() / "p.json";
  put(path, "an earlier and longer result");
  { const OutputFile abandoned(path, Overwrite::kForce); }
  EXPECT_EQ(read_text_file(path).text, "an earlier and longer result");
  OutputFile(path, Overwrite::kForce).commit("new");
  EXPECT_EQ(read_text_file(path).text, "new");
  EXPECT_EQ(list_folder(folder.path()).names.size(), 1U);
}

TEST(OutputFile, ForceReplacesTargetOfLinkAndKeepsLink) {
  const TemporaryFolder folder("msgring-test");
  put(folder.path() / "target", "earlier");
  std::filesystem::create_symlink("target", folder.path() / "link");
  OutputFile(folder.path() / "link", Overwrite::kForce).commit("new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "link"));
  EXPECT_EQ(read_text_file(folder.path() / "target").text, "new");
}

TEST(OutputFile, KeepsResultBesideFileCreatedDuringWork) {
  const TemporaryFolder folder("msgring-test");
  const auto path = folder.path() / "p.json";
  OutputFile file(path, Overwrite::kRefuse);
  put(path, "somebody else's");
  put(folder.path() / "p.json.1", "taken as well");
  const auto [status, line] = error_of([&] { file.commit("ours"); });
  EXPECT_EQ(status, ExitStatus::kEnvironment);
  EXPECT_THAT(line, HasSubstr("stands beside it as p.json.2"));
  EXPECT_EQ(read_text_file(path).text, "somebody else's");
  EXPECT_EQ(read_text_file(folder.path() / "p.json.2").text, "ours");
}

TEST(OutputFile, RefusesNamesThatCannotBecomeFile) {
  const TemporaryFolder folder("msgring-test");
  put(folder.path() / "file", "");
  std::filesystem::create_symlink("nowhere", folder.path() / "dangling");
  const std::filesystem::path bad[] = {
      "",
      folder.path(),
      folder.path() / "new/",
      folder.path() / "file" / "below",
      folder.path() / "dangling",
      folder.path() / "missing" / "p.json",
      folder.path() / std::string(300, 'x'),
  };
  for (const auto& path : bad) {
    const auto [status, line] = refusal(path);
    EXPECT_EQ(status, ExitStatus::kUsage) << path;
    EXPECT_THAT(line, StartsWith("--out " + path.string() + ": ")) << path;
    EXPECT_THAT(line, HasSubstr("; ")) << "no hint for " << path;
  }
}

TEST(OutputFile, FolderThatTakesNoFilesIsTheEnvironmentsFault) {
  for (const char* path : {"/proc/msgring-test", "/sys/msgring-test"}) {
    const auto [status, line] = refusal(path);
    EXPECT_EQ(status, ExitStatus::kEnvironment) << path;
    EXPECT_THAT(line, HasSubstr("cannot create a file in")) << path;
  }
}

TEST(OutputFile, WritesToCharacterDevicesAndPipesWithoutForce) {
  OutputFile("/dev/null", Overwrite::kRefuse).commit("gone");
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const FileDescriptor reader(ends[0]);
  FileDescriptor writer(ends[1]);
  OutputFile("/dev/fd/" + std::to_string(writer.get()), Overwrite::kRefuse).commit("through");
  char text[16] = {};
  EXPECT_EQ(::read(reader.get(), text, sizeof text), 7);
  EXPECT_STREQ(text, "through");
}

TEST(OutputFile, FullDeviceIsFoundAtTheLatestWhenWriting) {
  OutputFile file("/dev/full", Overwrite::kRefuse);
  const auto [status, line] = error_of([&] { file.commit("x"); });
  EXPECT_EQ(status, ExitStatus::kEnvironment);
  EXPECT_THAT(line, HasSubstr("ENOSPC"));
}

TEST(OutputFile, FifoWithoutReaderIsAnErrorNotAHang) {
  const TemporaryFolder folder("msgring-test");
  ASSERT_EQ(::mkfifo((folder.path() / "fifo").c_str(), 0600), 0);
  EXPECT_THAT(refusal(folder.path() / "fifo").line, HasSubstr("nobody reads from it: ENXIO"));
}

TEST(OutputFile, DescriptorLinkToOrdinaryFileIsRefusedEvenWithForce) {
  const TemporaryFolder folder("msgring-test");
  put(folder.path() / "redirected", "text of the program's standard output");
  const FileDescriptor open_file(::open((folder.path() / "redirected").c_str(), O_RDWR));
  const std::string link = "/proc/self/fd/" + std::to_string(open_file.get());
  const auto [status, line] = error_of([&] { const OutputFile file(link, Overwrite::kForce); });
  EXPECT_EQ(status, ExitStatus::kUsage);
  EXPECT_THAT(line, HasSubstr("name that file itself"));
}

/// Runs `act` in a child with a mount namespace of its own and a fresh tmpfs with `options` on
/// `folder`. Returns the exit status of `act`, or -1 where that is not allowed.
int on_own_tmpfs(const std::filesystem::path& folder, const char* options, unsigned long flags,
                 const std::function<int()>& act) {
  const pid_t child = ::fork();
  if (child == 0) {
    const bool mounted = ::unshare(CLONE_NEWNS) == 0 &&
                         ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                         ::mount("tmpfs", folder.c_str(), "tmpfs", flags, options) == 0;
    ::_exit(mounted ? act() : 77);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) != 77 ? WEXITSTATUS(status) : -1;
}

/// The same without /proc, where a nameless file cannot be named: hidden files are used instead.
int with_hidden_names(const std::filesystem::path& folder, const std::function<int()>& act) {
  return on_own_tmpfs(folder, nullptr, 0,
                      [&] { return ::umount2("/proc", MNT_DETACH) == 0 ? act() : 77; });
}

TEST(OutputFile, HiddenNameIsUsedWhereNamelessFilesCannotBeNamed) {
  const TemporaryFolder folder("msgring-test");
  const auto path = folder.path() / "p.json";
  const int result = with_hidden_names(folder.path(), [&] {
    OutputFile file(path, Overwrite::kRefuse);
    const auto names = list_folder(folder.path()).names;
    if (names.size() != 1 || !names[0].starts_with(".msgring-")) {
      return 1;
    }
    file.commit("whole");
    OutputFile(path, Overwrite::kForce).commit("replaced");
    { const OutputFile abandoned(path, Overwrite::kForce); }
    return read_text_file(path).text == "replaced" && list_folder(folder.path()).names.size() == 1
               ? 0
               : 2;
  });
  if (result < 0) {
    GTEST_SKIP() << "no mount namespace of its own: needs CAP_SYS_ADMIN";
  }
  EXPECT_EQ(result, 0);
}

TEST(OutputFile, HiddenNameNeverReplacesFileCreatedDuringWork) {
  const TemporaryFolder folder("msgring-test");
  const auto path = folder.path() / "p.json";
  const int result = with_hidden_names(folder.path(), [&] {
    OutputFile file(path, Overwrite::kRefuse);
    put(path, "somebody else's");
    const auto [status, line] = error_of([&] { file.commit("ours"); });
    return status == ExitStatus::kEnvironment && read_text_file(path).text == "somebody else's" &&
                   read_text_file(path.string() + ".1").text == "ours"
               ? 0
               : 1;
  });
  if (result < 0) {
    GTEST_SKIP() << "no mount namespace of its own: needs CAP_SYS_ADMIN";
  }
  EXPECT_EQ(result, 0);
}

TEST(OutputFile, FullDiskIsFoundBeforeTheWork) {
  const TemporaryFolder folder("msgring-test");
  const int result = on_own_tmpfs(folder.path(), "size=64k", 0, [&] {
    const auto [status, line] = refusal(folder.path() / "p.json");
    const bool told = status == ExitStatus::kEnvironment &&
                      line.find("cannot reserve 1048576 bytes: ENOSPC") != std::string::npos;
    return told && list_folder(folder.path()).names.empty() ? 0 : 1;
  });
  if (result < 0) {
    GTEST_SKIP() << "no mount namespace of its own: needs CAP_SYS_ADMIN";
  }
  EXPECT_EQ(result, 0);
}

TEST(OutputFile, ReadOnlyFileSystemIsFoundBeforeTheWork) {
  const TemporaryFolder folder("msgring-test");
  const int result = on_own_tmpfs(folder.path(), nullptr, MS_RDONLY, [&] {
    const auto [status, line] = refusal(folder.path() / "p.json");
    return status == ExitStatus::kEnvironment && line.find("EROFS") != std::string::npos ? 0 : 1;
  });
  if (result < 0) {
    GTEST_SKIP() << "no mount namespace of its own: needs CAP_SYS_ADMIN";
  }
  EXPECT_EQ(result, 0);
}

}  // namespace
}  // namespace msgring::host
