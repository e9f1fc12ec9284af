// SPDX-License-Identifier: MIT
#include "patch.hpp"

#include <fmt/format.h>

#include "git.hpp"

namespace msgring::tree {
namespace {

/// "io_uring/rsrc.c" of "--- a/io_uring/rsrc.c\t2026-01-01".
std::string old_file(const std::string& line) {
  std::string name = line.substr(4, line.find('\t') - 4);
  return name.rfind("a/", 0) == 0 ? name.substr(2) : name;
}

/// Does "@@ -120,7 +120,9 @@" begin at `line` of the old file?
bool begins_at(const std::string& header, const std::string& line) {
  return header.rfind("@@ -" + line + ",", 0) == 0 || header.rfind("@@ -" + line + " ", 0) == 0;
}

std::string hunk_at(std::string_view patch, const std::string& file, const std::string& line) {
  std::string current;
  unsigned hunk = 0;
  for (const std::string& text : lines_of(std::string(patch))) {
    if (text.rfind("--- ", 0) == 0) {
      current = old_file(text);
      hunk = 0;
    } else if (text.rfind("@@ -", 0) == 0) {
      ++hunk;
      if (current == file && begins_at(text, line)) {
        return fmt::format("hunk {} of {} ({})", hunk, file, text);
      }
    }
  }
  return {};
}

}  // namespace

std::string rejected_hunk(std::string_view patch, const std::string& git_errors) {
  constexpr std::string_view kFailed = "error: patch failed: ";
  for (const std::string& line : lines_of(git_errors)) {
    const std::size_t colon = line.rfind(':');
    if (line.rfind(kFailed, 0) == 0 && colon > kFailed.size()) {
      const std::string file = line.substr(kFailed.size(), colon - kFailed.size());
      const std::string hunk = hunk_at(patch, file, line.substr(colon + 1));
      return hunk.empty() ? line.substr(kFailed.size()) : hunk;
    }
  }
  return git_reason(git_errors);
}

}  // namespace msgring::tree
