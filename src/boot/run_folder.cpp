// SPDX-License-Identifier: MIT
// The names in a run's folder.
#include <fmt/format.h>

#include "msgring/boot/run.hpp"

namespace msgring::boot {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

std::string_view addition_text(FrameKind kind) {
  switch (kind) {
    case FrameKind::kKallsyms:
      return "kallsyms";
    case FrameKind::kProfile:
      return "profile";
    case FrameKind::kTrace:
      return "trace";
    default:
      return "data";
  }
}

}  // namespace

fs::path RunFolder::point_file(std::string_view boot) const {
  return path_ / "points" / fmt::format("{}.json", boot);
}

fs::path RunFolder::addition_file(std::string_view boot, FrameKind kind) const {
  return path_ / "points" / fmt::format("{}.{}", boot, addition_text(kind));
}

fs::path RunFolder::console_file(std::string_view boot, unsigned attempt) const {
  return path_ / "consoles" / fmt::format("{}.{}.log", boot, attempt);
}

fs::path RunFolder::lost_file(std::string_view boot, unsigned attempt) const {
  return path_ / "lost" / fmt::format("{}.{}.txt", boot, attempt);
}

bool RunFolder::has_point(std::string_view boot) const { return is_there(point_file(boot)); }

unsigned RunFolder::next_attempt(std::string_view boot) const {
  unsigned attempt = 1;
  while (is_there(console_file(boot, attempt)) || is_there(lost_file(boot, attempt))) {
    ++attempt;
  }
  return attempt;
}

unsigned RunFolder::lost_attempts(std::string_view boot) const {
  unsigned lost = 0;
  for (unsigned attempt = 1; attempt < next_attempt(boot); ++attempt) {
    lost += is_there(lost_file(boot, attempt)) ? 1U : 0U;
  }
  return lost;
}

}  // namespace msgring::boot
