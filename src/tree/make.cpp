// SPDX-License-Identifier: MIT
// Documentation/kbuild/reproducible-builds.rst, kbuild.rst.
#include "make.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "build_log.hpp"
#include "git.hpp"
#include "msgring/host/process.hpp"
#include "msgring/host/whole_file.hpp"
#include "msgring/tree/builder.hpp"

namespace msgring::tree {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kGrace{10};
constexpr std::chrono::seconds kProgressInterval{5};

std::string environment(const char* name) {
  const char* value = ::getenv(name);
  return value != nullptr ? value : "";
}

bool is_program(const std::string& name) {
  std::istringstream folders(environment("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (::access((fs::path(folder) / name).c_str(), X_OK) == 0) {
      return true;
    }
  }
  return false;
}

/// Of the caller's environment only where programs and caches are: KCFLAGS, ARCH or LOCALVERSION
/// would become part of the kernel.
std::vector<std::string> clean_environment() {
  std::vector<std::string> line = {
      "env", "-i", "LC_ALL=C", "TZ=UTC", "KBUILD_BUILD_TIMESTAMP=Thu Jan  1 00:00:00 UTC 2026",
      "KBUILD_BUILD_USER=msgring", "KBUILD_BUILD_HOST=msgring", "KBUILD_BUILD_VERSION=1",
      // Every file is new the first time: ccache shall learn what it
      // includes from the compiler, not from a preprocessor of its own.
      "CCACHE_DEPEND=1"};
  for (const char* name : {"PATH", "HOME", "TMPDIR", "CCACHE_DIR", "CCACHE_MAXSIZE",
                           "XDG_CACHE_HOME", "LD_LIBRARY_PATH"}) {
    if (const std::string value = environment(name); !value.empty()) {
      line.push_back(fmt::format("{}={}", name, value));
    }
  }
  return line;
}

std::vector<std::string> make_line(const MakeSetup& setup,
                                   const std::vector<std::string>& targets) {
  std::vector<std::string> line = clean_environment();
  const std::string compiler = is_program("ccache") ? "ccache gcc" : "gcc";
  // Kbuild hides the source's folder from the image, in old kernels not everywhere; debug
  // information, which the build id covers, also names the folder of objects.
  const std::string paths = fmt::format("-ffile-prefix-map={}/= -ffile-prefix-map={}=.",
                                        setup.source.native(), setup.objects.native());
  line.insert(line.end(),
              {"make", "-C", setup.source.native(), "O=" + setup.objects.native(), "ARCH=x86_64",
               "CC=" + compiler, "HOSTCC=" + compiler, "KCFLAGS=" + paths, "KAFLAGS=" + paths,
               "LOCALVERSION=" + setup.local_version, fmt::format("-j{}", setup.jobs)});
  line.insert(line.end(), targets.begin(), targets.end());
  return line;
}

/// Reads the growing log and tells how far the build has come.
class LogFollower {
 public:
  LogFollower(const MakeSetup& setup, std::size_t begin) : setup_(setup), offset_(begin) {}

  void follow() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) {
      return;
    }
    next_ = now + kProgressInterval;
    const unsigned before = steps_.count;
    offset_ += count_steps(host::read_file_from(setup_.log, offset_), steps_);
    if (steps_.count > before) {
      setup_.progress(
          fmt::format("building {}: {} steps, {}", setup_.name, steps_.count, steps_.last));
    }
  }

 private:
  const MakeSetup& setup_;
  std::size_t offset_;
  BuildSteps steps_;
  std::chrono::steady_clock::time_point next_ =
      std::chrono::steady_clock::now() + kProgressInterval;
};

[[noreturn]] void fail(const MakeSetup& setup, std::string_view said) {
  if (says_disk_full(said)) {
    throw Error(
        ExitStatus::kEnvironment,
        fmt::format("building {}: the disk is full ({})", setup.name, setup.objects.native()),
        "make room and start again: what was built is kept");
  }
  throw BuildFailure(fmt::format("{} does not build", setup.name), first_error(said), setup.log);
}

}  // namespace

void run_make(const MakeSetup& setup, const std::vector<std::string>& targets) {
  std::error_code absent;
  const auto begin = fs::exists(setup.log) ? fs::file_size(setup.log, absent) : 0;
  LogFollower follower(setup, begin);
  auto make = host::ChildProcess::start(make_line(setup, targets), {setup.log, setup.log, {}});
  std::optional<host::ProcessEnd> end;
  while (!(end = make.wait(std::chrono::milliseconds(100)))) {
    if (setup.stop.stop_requested()) {
      // The whole group: a compiler does not end with the shell that make started it from.
      ::kill(-make.pid(), SIGTERM);
      make.stop(kGrace);
      throw Error(ExitStatus::kInterrupted, fmt::format("building {}: interrupted", setup.name),
                  "the same command goes on from here");
    }
    follower.follow();
  }
  if (!end->ok()) {
    fail(setup, host::read_file_from(setup.log, begin));
  }
}

std::string check_build_tools() {
  constexpr std::array<std::pair<const char*, const char*>, 8> kTools = {{{"git", "git"},
                                                                          {"make", "make"},
                                                                          {"gcc", "gcc"},
                                                                          {"ld", "binutils"},
                                                                          {"flex", "flex"},
                                                                          {"bison", "bison"},
                                                                          {"bc", "bc"},
                                                                          {"perl", "perl"}}};
  std::vector<std::string> programs;
  std::vector<std::string> packages;
  for (const auto& [program, package] : kTools) {
    if (!is_program(program)) {
      programs.emplace_back(program);
      packages.emplace_back(package);
    }
  }
  if (!programs.empty()) {
    throw Error(
        ExitStatus::kEnvironment,
        fmt::format("building a kernel needs {}, which {} not installed", fmt::join(programs, ", "),
                    programs.size() == 1 ? "is" : "are"),
        fmt::format("apt-get install {}, or scripts/install-deps tree", fmt::join(packages, " ")));
  }
  const auto version =
      host::run_program({"env", "LC_ALL=C", "gcc", "--version"}, std::chrono::minutes(1));
  return lines_of(version.output).front();
}

}  // namespace msgring::tree
