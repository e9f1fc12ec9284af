// SPDX-License-Identifier: MIT
// Tracing on the running kernel, as far as it allows it.
#include <gmock/gmock.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "msgring/error.hpp"
#include "msgring/host/cpus.hpp"
#include "msgring/host/limits.hpp"
#include "msgring/trace/job.hpp"

namespace msgring::trace {
namespace {

using testing::HasSubstr;

/// Runs `call` in a child with mounts of its own and returns the line that it throws with.
template <class Call>
std::string line_in_child(Call call) {
  std::array<int, 2> pipe{};
  EXPECT_EQ(::pipe(pipe.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    std::string line = "no error";
    try {
      call();
    } catch (const std::exception& error) {
      line = describe(error);
    }
    static_cast<void>(::write(pipe[1], line.data(), line.size()));
    ::_exit(0);
  }
  ::close(pipe[1]);
  std::string text(4096, '\0');
  const ssize_t size = ::read(pipe[0], text.data(), text.size());
  ::close(pipe[0]);
  ::waitpid(child, nullptr, 0);
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return text;
}

TEST(TraceKernel, GivesAllocationsOrSaysWhyNot) {
  try {
    const Trace trace = run_job({});
    ASSERT_EQ(trace.phases.size(), 1U);
    EXPECT_EQ(trace.phases[0].operations, 128U);
    EXPECT_TRUE(trace.has_calls || trace.has_sites);
    if (trace.has_calls) {
      EXPECT_EQ(trace.phases[0].calls_of("io_msg_ring"), 128U);
    } else {
      EXPECT_THAT(trace.reasons, testing::Contains(HasSubstr("function_graph")));
      EXPECT_THAT(trace.reasons, testing::Contains(HasSubstr("used instead: kmem tracepoints")));
    }
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), ExitStatus::kEnvironment) << describe(error);
    GTEST_SKIP() << describe(error);
  }
}

// 4096 installs make thousands of events of at least 32 bytes each: more than two pages hold.
TEST(TraceKernel, ALostEventMakesTheCountInvalid) {
  const std::string line = line_in_child([] {
    TraceRequest request;
    request.entry = workload::find_workload("first_fill");
    const host::CpuSets cpus = host::read_cpu_sets(request.root);
    request.cpu = host::choose_cpu(request.root, cpus);
    request.buffer_kib = 8;
    host::raise_nofile(request.shape.slots);
    host::pin_this_thread(cpus, request.cpu);
    trace_workload(request);
  });
  if (line.find("trace: the kernel lost events") == std::string::npos) {
    EXPECT_NE(line, "no error");
    GTEST_SKIP() << line;
  }
  EXPECT_THAT(line, HasSubstr("the counts are invalid"));
  EXPECT_EQ(line.find('\n'), std::string::npos);
}

TEST(TraceKernel, LeavesNoInstanceBehind) {
  const std::string line = line_in_child([] {
    run_job({});
    for (const auto& entry : std::filesystem::directory_iterator("/sys/kernel/tracing/instances")) {
      if (entry.path().filename().string().starts_with("msgring-" + std::to_string(::getpid()))) {
        throw Error(ExitStatus::kInvalid, entry.path().string());
      }
    }
  });
  if (line != "no error" && line.find("msgring-") == std::string::npos) {
    GTEST_SKIP() << line;
  }
  EXPECT_EQ(line, "no error");
}

TEST(TraceKernel, AReadOnlyTracefsIsNamed) {
  const std::string line = line_in_child([] {
    constexpr const char* kFolder = "/sys/kernel/tracing";
    if (::unshare(CLONE_NEWNS) != 0 ||
        ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        // EBUSY: it is mounted there already.
        (::mount("tracefs", kFolder, "tracefs", 0, nullptr) != 0 && errno != EBUSY) ||
        ::mount(nullptr, kFolder, nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY, nullptr) != 0) {
      throw Error(ExitStatus::kEnvironment, "cannot mount tracefs here");
    }
    run_job({});
  });
  if (line == "cannot mount tracefs here") {
    GTEST_SKIP() << line << ": needs root and tracefs";
  }
  EXPECT_THAT(line, HasSubstr("tracing: tracefs is mounted read-only (mkdir"));
  EXPECT_EQ(line.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace msgring::trace
