// SPDX-License-Identifier: MIT
// A file that is not there, one that may not be read, and one that is empty are three different
// answers.
#include "msgring/host/file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>

#include "msgring/host/root.hpp"
#include "msgring/host/temporary_folder.hpp"

namespace msgring::host {
namespace {

TEST(Root, PutsAbsolutePathsBelowItsPrefix) {
  EXPECT_EQ(Root().path("/proc/stat"), "/proc/stat");
  EXPECT_EQ(Root("/tree").path("/proc/stat"), "/tree/proc/stat");
  EXPECT_TRUE(Root().is_this_machine());
  EXPECT_FALSE(Root("/tree").is_this_machine());
}

TEST(ReadTextFile, ReadsProcFilesWhoseSizeReadsZero) {
  const TextFile file = read_text_file("/proc/self/status");
  ASSERT_EQ(file.state, FileState::kRead);
  EXPECT_THAT(file.text, testing::HasSubstr("Threads:"));
}

TEST(ReadTextFile, TellsAbsentFromEmptyFromUnreadable) {
  const TemporaryFolder folder("msgring-test");
  std::ofstream(folder.path() / "empty").close();
  EXPECT_EQ(read_text_file(folder.path() / "missing").state, FileState::kAbsent);
  EXPECT_EQ(read_text_file(folder.path() / "empty" / "below").error, ENOTDIR);
  EXPECT_EQ(read_text_file(folder.path() / "empty" / "below").state, FileState::kAbsent);
  EXPECT_EQ(read_text_file(folder.path() / "empty").state, FileState::kRead);
  // Reading a folder opens but does not read: exists, and cannot be read, for root as well.
  EXPECT_EQ(read_text_file(folder.path()).state, FileState::kUnreadable);
  EXPECT_EQ(read_text_file(folder.path()).error, EISDIR);
}

TEST(ReadTextFile, RefusesWhatIsNoSmallFile) {
  const TemporaryFolder folder("msgring-test");
  const auto large = folder.path() / "large";
  std::ofstream(large).close();
  std::filesystem::resize_file(large, (4U << 20) + 1);
  EXPECT_EQ(read_text_file(large).error, EFBIG);
  std::filesystem::resize_file(large, 4U << 20);
  EXPECT_EQ(read_text_file(large).text.size(), 4U << 20);
}

TEST(ReadTextFile, DoesNotHangOnFifoWithoutWriter) {
  const TemporaryFolder folder("msgring-test");
  const auto fifo = folder.path() / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(read_text_file(fifo).text, "");
}

TEST(ReadAttribute, CutsWhiteSpaceAtBothEndsOnly) {
  const TemporaryFolder folder("msgring-test");
  std::ofstream(folder.path() / "attribute") << "\t full (lazy) \n";
  std::ofstream(folder.path() / "blank") << " \n";
  EXPECT_EQ(read_attribute(folder.path() / "attribute").text, "full (lazy)");
  EXPECT_EQ(read_attribute(folder.path() / "blank").text, "");
  EXPECT_EQ(read_attribute(folder.path() / "missing").state, FileState::kAbsent);
}

TEST(ListFolder, GivesNamesInOrderOrSaysWhyNot) {
  const TemporaryFolder folder("msgring-test");
  std::ofstream(folder.path() / "b").close();
  std::ofstream(folder.path() / "a").close();
  EXPECT_THAT(list_folder(folder.path()).names, testing::ElementsAre("a", "b"));
  EXPECT_EQ(list_folder(folder.path() / "missing").state, FileState::kAbsent);
  EXPECT_EQ(list_folder(folder.path() / "a").state, FileState::kAbsent);
}

}  // namespace
}  // namespace msgring::host
