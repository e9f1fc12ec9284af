// SPDX-License-Identifier: MIT
#include "box.hpp"

#include <fmt/format.h>

#include <sstream>
#include <thread>

#include "msgring/error.hpp"

namespace msgring::boot {
namespace {

/// A starved machine may need minutes for what takes a second elsewhere.
constexpr std::chrono::seconds kCommandPatience(180);

constexpr std::string_view kDetach = R"sh(
detach() {
  unit=$1
  shift
  if [ -d /run/systemd/system ] && command -v systemd-run >/dev/null; then
    systemd-run --quiet --collect "--unit=$unit" -- "$@"
  else
    setsid nohup "$@" </dev/null >/dev/null 2>&1 &
  fi
}
)sh";

}  // namespace

std::vector<std::string> detaching_script(std::string_view text,
                                          std::vector<std::string> arguments) {
  return box_script(std::string(kDetach).append(text), std::move(arguments));
}

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

BoxAnswer ask_patiently(Box& box, const std::vector<std::string>& command,
                        std::chrono::seconds patience, const std::stop_token& stop) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (true) {
    BoxAnswer answer = box.run(command, kCommandPatience);
    if (answer.reach == Reach::kAnswered || std::chrono::steady_clock::now() > deadline) {
      return answer;
    }
    for (int tenths = 0; tenths < 20; ++tenths) {
      if (stop.stop_requested()) {
        throw Error(ExitStatus::kInterrupted, "interrupted", "--resume goes on from here");
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }
}

std::string demand(Box& box, const std::vector<std::string>& command, std::string_view what) {
  BoxAnswer answer = box.run(command, kCommandPatience);
  if (answer.ok()) {
    return std::move(answer.output);
  }
  const bool unreachable = answer.reach == Reach::kUnreachable;
  throw Error(ExitStatus::kEnvironment, fmt::format("{}: {}", what, last_words(answer.errors)),
              unreachable ? "try it with ssh yourself: it must work without a question" : "");
}

}  // namespace msgring::boot
