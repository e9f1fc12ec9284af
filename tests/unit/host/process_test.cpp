// SPDX-License-Identifier: MIT
// Programs are started as asked, tell how they ended, and never outlive their owner.
#include "msgring/host/process.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "msgring/error.hpp"
#include "msgring/host/temporary_folder.hpp"
#include "msgring/host/whole_file.hpp"

namespace msgring::host {
namespace {

using std::chrono::milliseconds;

bool is_alive(pid_t pid) { return ::kill(pid, 0) == 0; }

TEST(RunProgram, KeepsArgumentsApartAndTellsBothStreams) {
  const ProgramResult result =
      run_program({"printf", "%s|", "a b", "$HOME", "'"}, milliseconds(5000));
  EXPECT_EQ(result.output, "a b|$HOME|'|");
  EXPECT_TRUE(result.end.ok());
  const ProgramResult failed = run_program({"ls", "/nowhere"}, milliseconds(5000));
  EXPECT_EQ(failed.end.exit_code, 2);
  EXPECT_THAT(failed.errors, ::testing::HasSubstr("/nowhere"));
}

TEST(RunProgram, WorksInTheFolderItIsGiven) {
  EXPECT_EQ(run_program({"pwd"}, milliseconds(5000), {}, "/usr").output, "/usr\n");
}

TEST(RunProgram, SaysWhichProgramIsMissing) {
  try {
    run_program({"no-such-program"}, milliseconds(5000));
    FAIL() << "started";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code().value(), ENOENT);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("no-such-program"));
  }
}

TEST(RunProgram, EndsAtItsDeadline) {
  EXPECT_THROW(run_program({"sleep", "60"}, milliseconds(100)), Error);
}

TEST(RunProgram, EndsWhenAskedToStop) {
  std::stop_source source;
  source.request_stop();
  try {
    run_program({"sleep", "60"}, milliseconds(60000), source.get_token());
    FAIL() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), ExitStatus::kInterrupted);
  }
}

TEST(RunProgram, StartsNothingWhenItIsStoppedAlready) {
  const TemporaryFolder folder("msgring-process-test");
  std::stop_source source;
  source.request_stop();
  EXPECT_THROW(
      run_program({"touch", "started"}, milliseconds(60000), source.get_token(), folder.path()),
      Error);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(ChildProcess, IsGoneWithItsOwner) {
  pid_t pid = -1;
  {
    const ChildProcess child = ChildProcess::start({"sleep", "60"});
    pid = child.pid();
    EXPECT_TRUE(is_alive(pid));
    EXPECT_EQ(::getpgid(pid), pid);
  }
  EXPECT_FALSE(is_alive(pid));
}

TEST(ChildProcess, IsKilledWhenItDoesNotHeedTermination) {
  ChildProcess child = ChildProcess::start({"env", "--ignore-signal=TERM", "sleep", "60"});
  std::this_thread::sleep_for(milliseconds(100));
  EXPECT_EQ(child.stop(milliseconds(50)).signal, SIGKILL);
}

TEST(ChildProcess, TellsTheSignalThatEndedIt) {
  ChildProcess child = ChildProcess::start({"sleep", "60"});
  EXPECT_FALSE(child.wait(milliseconds(0)).has_value());
  ::kill(child.pid(), SIGKILL);
  const auto end = child.wait(milliseconds(5000));
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(describe(*end), "signal 9 (Killed)");
  EXPECT_EQ(child.wait(milliseconds(0))->signal, SIGKILL) << "the answer stays";
}

TEST(ChildProcess, DiesWithAKilledParent) {
  const TemporaryFolder folder("msgring-test");
  const auto pid_file = folder.path() / "pid";
  const pid_t parent = ::fork();
  if (parent == 0) {
    const ChildProcess child = ChildProcess::start({"sleep", "60"});
    std::ofstream(pid_file) << child.pid() << std::endl;
    ::kill(::getpid(), SIGKILL);
  }
  ASSERT_EQ(::waitpid(parent, nullptr, 0), parent);
  const pid_t pid = std::stoi(read_file(pid_file));
  for (int i = 0; i < 100 && is_alive(pid); ++i) {
    std::this_thread::sleep_for(milliseconds(20));
  }
  EXPECT_FALSE(is_alive(pid));
}

TEST(ShellQuoted, QuotesOnlyWhatAShellWouldChange) {
  EXPECT_EQ(shell_quoted({"qemu", "-append", "a=1 b", "it's", ""}),
            "qemu -append 'a=1 b' 'it'\\''s' ''");
}

}  // namespace
}  // namespace msgring::host
