// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "trace/obstacle.hpp"
#include "trace/tracing_folder.hpp"

namespace msgring::trace {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// A machine in a folder, removed at the end.
class FakeMachine {
 public:
  FakeMachine() : path_(fs::temp_directory_path() / "msgring-trace-XXXXXX") {
    std::string name = path_.string();
    path_ = ::mkdtemp(name.data());
  }
  ~FakeMachine() { fs::remove_all(path_); }
  FakeMachine(const FakeMachine&) = delete;
  FakeMachine& operator=(const FakeMachine&) = delete;

  void write(const std::string& file, const std::string& text) {
    fs::create_directories((path_ / file).parent_path());
    std::ofstream(path_ / file) << text;
  }
  host::Root root() const { return host::Root(path_); }

 private:
  fs::path path_;
};

TEST(TracingFolder, IsFoundWhereItIsMounted) {
  FakeMachine machine;
  machine.write("sys/kernel/tracing/available_tracers", "function_graph nop\n");
  EXPECT_EQ(find_tracing_folder(machine.root()).path, machine.root().path("/sys/kernel/tracing"));
}

TEST(TracingFolder, IsFoundBelowDebugfs) {
  FakeMachine machine;
  machine.write("sys/kernel/debug/tracing/available_tracers", "nop\n");
  EXPECT_EQ(find_tracing_folder(machine.root()).path,
            machine.root().path("/sys/kernel/debug/tracing"));
}

TEST(TracingFolder, ThatIsNotMountedIsNamedWithTheCure) {
  FakeMachine machine;
  const TracingFolder folder = find_tracing_folder(machine.root());
  EXPECT_TRUE(folder.path.empty());
  EXPECT_THAT(folder.reason, HasSubstr("tracefs is not mounted"));
  EXPECT_THAT(folder.reason, HasSubstr("; mount -t tracefs nodev /sys/kernel/tracing"));
}

TEST(Obstacle, EachRefusalIsItsOwn) {
  FakeMachine machine;
  EXPECT_EQ(obstacle_of(EROFS, machine.root()), Obstacle::kReadOnly);
  EXPECT_EQ(obstacle_of(EACCES, machine.root()), Obstacle::kNoPermission);
  EXPECT_EQ(obstacle_of(EPERM, machine.root()), Obstacle::kNoPermission);
  EXPECT_EQ(obstacle_of(ENOENT, machine.root()), Obstacle::kNotBuiltIn);
  machine.write("sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
  EXPECT_EQ(obstacle_of(EPERM, machine.root()), Obstacle::kNoPermission);
  machine.write("sys/kernel/security/lockdown", "none integrity [confidentiality]\n");
  EXPECT_EQ(obstacle_of(EPERM, machine.root()), Obstacle::kLockedDown);
}

TEST(Obstacle, IsToldInOneLine) {
  EXPECT_EQ(obstacle_text("tracing", Obstacle::kReadOnly, "mkdir: EROFS"),
            "tracing: tracefs is mounted read-only (mkdir: EROFS)");
}

}  // namespace
}  // namespace msgring::trace
