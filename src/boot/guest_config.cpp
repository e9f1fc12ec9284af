// SPDX-License-Identifier: MIT
// The guest's instructions as lines of text.
#include <fmt/format.h>

#include <sstream>

#include "msgring/boot/guest.hpp"
#include "msgring/error.hpp"

namespace msgring::boot {
namespace {

constexpr std::string_view kFirstLine = "msgring guest 1";
constexpr std::string_view kRunId = "run_id ";
constexpr std::string_view kArgument = "argument ";

bool takes(std::string& line, std::string_view start) {
  if (line.compare(0, start.size(), start) != 0) {
    return false;
  }
  line.erase(0, start.size());
  return true;
}

}  // namespace

std::string encode_guest_config(const GuestConfig& config) {
  std::string text = fmt::format("{}\n{}{}\n", kFirstLine, kRunId, config.run_id);
  for (const std::string& argument : config.arguments) {
    if (argument.find('\n') != std::string::npos) {
      throw Error(ExitStatus::kUsage,
                  fmt::format("benchmark argument '{}': a line end cannot be passed", argument));
    }
    text += fmt::format("{}{}\n", kArgument, argument);
  }
  return text;
}

GuestConfig parse_guest_config(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::string line;
  if (!std::getline(lines, line) || line != kFirstLine) {
    throw Error(ExitStatus::kInvalid, fmt::format("guest configuration begins with '{}'", line));
  }
  GuestConfig config;
  while (std::getline(lines, line)) {
    if (takes(line, kRunId)) {
      config.run_id = line;
    } else if (takes(line, kArgument)) {
      config.arguments.push_back(line);
    } else {
      throw Error(ExitStatus::kInvalid, fmt::format("guest configuration has '{}'", line));
    }
  }
  return config;
}

}  // namespace msgring::boot
