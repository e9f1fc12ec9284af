// SPDX-License-Identifier: MIT
#include "browser.hpp"

#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "command.hpp"

namespace msgring::testing_cli {
namespace {

std::vector<std::string> arguments_for(const std::filesystem::path& profile, Window window,
                                       Scheme scheme) {
  // Without a sandbox, since Chromium's refuses root, and the page is the test's own.
  return {"--headless",
          "--no-sandbox",
          "--disable-gpu",
          "--disable-dev-shm-usage",
          "--no-first-run",
          "--hide-scrollbars",
          "--host-resolver-rules=MAP * ~NOTFOUND",
          "--user-data-dir=" + profile.string(),
          "--window-size=" + std::to_string(window.width) + "," + std::to_string(window.height),
          std::string("--blink-settings=preferredColorScheme=") +
              (scheme == Scheme::kDark ? "0" : "1")};
}

std::vector<std::string> console_of(const std::string& log) {
  std::vector<std::string> messages;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(":CONSOLE") != std::string::npos) {
      messages.push_back(line);
    }
  }
  return messages;
}

// The browser asks for things of its own (updates, time); those have no page as their initiator.
std::vector<std::string> requests_of(const std::filesystem::path& net_log) {
  std::vector<std::string> addresses;
  const auto log = nlohmann::json::parse(text_of(net_log));
  for (const auto& event : log.at("events")) {
    const auto params = event.find("params");
    if (params != event.end() && params->contains("url") &&
        params->value("initiator", "not an origin") != "not an origin") {
      addresses.push_back(params->at("url"));
    }
  }
  return addresses;
}

}  // namespace

std::optional<Browser> Browser::find() {
  const char* variable = std::getenv("PATH");
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
    std::istringstream folders(variable != nullptr ? variable : "/usr/bin:/bin");
    for (std::string folder; std::getline(folders, folder, ':');) {
      const auto candidate = std::filesystem::path(folder) / name;
      if (!folder.empty() && ::access(candidate.c_str(), X_OK) == 0) {
        return Browser(candidate);
      }
    }
  }
  return std::nullopt;
}

Visit Browser::open(const std::filesystem::path& page, Window window, Scheme scheme) const {
  const TemporaryFolder scratch;
  const auto net_log = scratch.path() / "net.json";
  std::vector<std::string> arguments = arguments_for(scratch.path() / "profile", window, scheme);
  arguments.insert(arguments.end(), {"--enable-logging=stderr", "--log-net-log=" + net_log.string(),
                                     "--dump-dom", "file://" + page.string()});
  const Outcome outcome = run(program_.string(), arguments, scratch.path());
  return {outcome.status, outcome.out, console_of(outcome.err), requests_of(net_log), outcome.err};
}

int Browser::take_picture(const std::filesystem::path& page, Window window, Scheme scheme,
                          const std::filesystem::path& picture) const {
  const TemporaryFolder scratch;
  std::vector<std::string> arguments = arguments_for(scratch.path() / "profile", window, scheme);
  arguments.insert(arguments.end(),
                   {"--screenshot=" + picture.string(), "file://" + page.string()});
  return run(program_.string(), arguments, scratch.path()).status;
}

}  // namespace msgring::testing_cli
