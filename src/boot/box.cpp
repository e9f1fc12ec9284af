// SPDX-License-Identifier: MIT
#include "box.hpp"

#include <fmt/format.h>

#include <sstream>

#include "msgring/error.hpp"

namespace msgring::boot {

std::vector<std::string> box_script(std::string_view text, std::vector<std::string> arguments) {
  std::vector<std::string> command = {"sh", "-c", std::string(text), "msgring"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

std::string last_words(const std::string& text) {
  std::istringstream lines(text);
  std::string last;
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of(" \t\r") != std::string::npos) {
      last = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    }
  }
  return last.empty() ? "no word about why" : last;
}

std::string demand(Box& box, const std::vector<std::string>& command, std::string_view what) {
  BoxAnswer answer = box.run(command, std::chrono::seconds(180));
  if (answer.ok()) {
    return std::move(answer.output);
  }
  const bool unreachable = answer.reach == Reach::kUnreachable;
  throw Error(ExitStatus::kEnvironment, fmt::format("{}: {}", what, last_words(answer.errors)),
              unreachable ? "try it with ssh yourself: it must work without a question" : "");
}

}  // namespace msgring::boot
