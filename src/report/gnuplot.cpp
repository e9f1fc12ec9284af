// SPDX-License-Identifier: MIT
// Finds gnuplot and runs it on a script.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string_view>

#include "msgring/error.hpp"
#include "msgring/host/process.hpp"
#include "msgring/host/temporary_folder.hpp"
#include "msgring/host/whole_file.hpp"
#include "msgring/report/plot.hpp"

namespace msgring::report {
namespace {

/// A drawing of thousands of rounds takes a second or two.
constexpr std::chrono::seconds kDeadline(60);

}  // namespace

std::optional<std::filesystem::path> find_gnuplot() {
  const char* variable = std::getenv("PATH");
  std::string_view folders = variable != nullptr ? variable : "/usr/bin:/bin";
  while (!folders.empty()) {
    const std::string_view folder = folders.substr(0, folders.find(':'));
    const auto candidate = std::filesystem::path(folder) / "gnuplot";
    if (!folder.empty() && ::access(candidate.c_str(), X_OK) == 0) {
      return candidate;
    }
    folders.remove_prefix(std::min(folder.size() + 1, folders.size()));
  }
  return std::nullopt;
}

std::string run_gnuplot(const std::filesystem::path& gnuplot, const std::string& script) {
  const host::TemporaryFolder folder("msgring-plot");
  host::write_new_file(folder.path() / "script", script);
  host::ProgramResult result =
      host::run_program({gnuplot.native(), "-d", "script"}, kDeadline, {}, folder.path());
  if (!result.end.ok() || result.output.empty()) {
    const std::size_t text = result.errors.find_first_not_of("\n ");
    const std::string first =
        text == std::string::npos
            ? "no message"
            : result.errors.substr(text, result.errors.find('\n', text) - text);
    throw Error(ExitStatus::kEnvironment, fmt::format("{} failed: {}", gnuplot.native(), first),
                "check that it has the terminals svg, pngcairo and dumb (package gnuplot-nox)");
  }
  return std::move(result.output);
}

}  // namespace msgring::report
