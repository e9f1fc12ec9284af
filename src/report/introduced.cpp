// SPDX-License-Identifier: MIT
// What regzbot takes as the introduction of a regression.
// Source: regzbot's reference manual and the kernel's Documentation/process/handling-regressions.
#include <fmt/format.h>

#include <regex>

#include "msgring/error.hpp"
#include "msgring/report/mail.hpp"

namespace msgring::report {
namespace {

const std::regex& commit() {
  static const std::regex pattern("[0-9a-f]{12,40}");
  return pattern;
}

const std::regex& hexadecimal() {
  static const std::regex pattern("[0-9a-fA-F]+");
  return pattern;
}

const std::regex& end_of_range() {
  static const std::regex pattern(
      "(?:[0-9a-f]{12,40}|v[0-9]+\\.[0-9]+(?:\\.[0-9]+)?(?:-rc[0-9]+)?|next-[0-9]{8})");
  return pattern;
}

bool matches(std::string_view text, const std::regex& pattern) {
  return text.size() < 200 && std::regex_match(text.begin(), text.end(), pattern);
}

[[noreturn]] void refuse(std::string_view introduced, std::string_view why) {
  throw Error(ExitStatus::kUsage,
              fmt::format("introduced \"{}\": {}", introduced.substr(0, 100), why),
              "give a commit (12 to 40 hex digits) or a range good..bad of upstream tags or "
              "commits, such as v6.15..v6.16-rc1");
}

// "6.12" of "v6.12.95": the stable series that a tag belongs to; empty for everything else.
std::string stable_series(const std::string& tag) {
  std::smatch match;
  static const std::regex stable("v([0-9]+\\.[0-9]+)\\.[0-9]+");
  return std::regex_match(tag, match, stable) ? match[1].str() : std::string();
}

}  // namespace

void check_introduced(std::string_view introduced) {
  const std::size_t dots = introduced.find("..");
  if (introduced.find_first_of(" \t\n") != std::string_view::npos) {
    refuse(introduced, "holds a blank, and regzbot reads the first word only");
  }
  if (dots == std::string_view::npos) {
    if (matches(introduced, commit())) {
      return;
    }
    if (matches(introduced, hexadecimal())) {
      refuse(introduced, "is no commit id of 12 to 40 lower-case digits");
    }
    refuse(introduced, "is one version, not a commit and not a range");
  }
  const std::string_view good = introduced.substr(0, dots);
  const std::string_view bad = introduced.substr(dots + 2);
  for (const std::string_view end : {good, bad}) {
    if (!matches(end, end_of_range()) && !(end.empty() && end.data() == bad.data())) {
      refuse(introduced, fmt::format("\"{}\" is neither an upstream tag nor a commit id", end));
    }
  }
}

std::optional<std::string> note_on_introduced(std::string_view introduced) {
  const std::size_t dots = introduced.find("..");
  if (dots == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string good = stable_series(std::string(introduced.substr(0, dots)));
  const std::string bad = stable_series(std::string(introduced.substr(dots + 2)));
  if (good == bad) {
    return std::nullopt;
  }
  return fmt::format(
      "{}: its ends are in different trees (stable and mainline, or two stable series); regzbot "
      "will not associate it with one. Mainline releases on both ends are better",
      introduced);
}

}  // namespace msgring::report
