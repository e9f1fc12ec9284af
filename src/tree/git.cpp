// SPDX-License-Identifier: MIT
#include "git.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <sstream>

#include "msgring/error.hpp"

namespace msgring::tree {
namespace {

constexpr std::chrono::minutes kDeadline{30};

/// Set by git for its hooks and for `git bisect run`: they would lead to the caller's repository.
constexpr std::array<const char*, 8> kForeignVariables = {
    "GIT_DIR",        "GIT_WORK_TREE",
    "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY",
    "GIT_COMMON_DIR", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",  "GIT_PREFIX"};

}  // namespace

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

std::string git_reason(const std::string& errors) {
  for (const std::string& line : lines_of(errors)) {
    for (const std::string_view prefix : {"fatal: ", "error: "}) {
      if (line.rfind(prefix, 0) == 0) {
        return line.substr(prefix.size());
      }
    }
  }
  const std::vector<std::string> lines = lines_of(errors);
  return lines.empty() ? "git gives no reason" : lines.back();
}

host::ProgramResult run_git(const GitPlace& place, const std::vector<std::string>& arguments,
                            const std::stop_token& stop) {
  std::vector<std::string> line = {"env"};
  for (const char* name : kForeignVariables) {
    line.insert(line.end(), {"-u", name});
  }
  line.insert(line.end(), {"LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0"});
  const auto set = [&line](const char* name, const std::filesystem::path& value) {
    if (!value.empty()) {
      line.push_back(fmt::format("{}={}", name, value.native()));
    }
  };
  set("GIT_DIR", place.git_dir);
  set("GIT_WORK_TREE", place.work_tree);
  set("GIT_INDEX_FILE", place.index);
  set("GIT_OBJECT_DIRECTORY", place.objects);
  line.emplace_back("git");
  for (const char* setting : {"core.hooksPath=/dev/null", "core.fsmonitor=false",
                              "core.splitIndex=false", "core.untrackedCache=false", "gc.auto=0",
                              "core.quotePath=false", "advice.detachedHead=false"}) {
    line.insert(line.end(), {"-c", setting});
  }
  line.insert(line.end(), arguments.begin(), arguments.end());
  return host::run_program(line, kDeadline, stop, place.folder);
}

std::string git_output(const GitPlace& place, const std::vector<std::string>& arguments,
                       const std::string& what, const std::stop_token& stop) {
  host::ProgramResult result = run_git(place, arguments, stop);
  if (!result.end.ok()) {
    const bool disk_full = result.errors.find("No space left on device") != std::string::npos;
    throw Error(disk_full ? ExitStatus::kEnvironment : ExitStatus::kUsage,
                fmt::format("{}: {}", what, git_reason(result.errors)),
                disk_full ? "make room and start again" : "");
  }
  while (!result.output.empty() && result.output.back() == '\n') {
    result.output.pop_back();
  }
  return result.output;
}

}  // namespace msgring::tree
