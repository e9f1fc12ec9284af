// SPDX-License-Identifier: MIT
// The linter for mails to the kernel's lists: regzbot's grammar and the lists' habits.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "msgring/error.hpp"
#include "msgring/report/mail.hpp"
#include "msgring/report/table.hpp"

namespace msgring::report {
namespace {

constexpr std::size_t kProse = 72;
constexpr std::string_view kRegzbot = "#regzbot";
constexpr std::array<std::string_view, 5> kCommands = {"introduced", "title", "from", "monitor",
                                                       "link"};
constexpr std::array<std::string_view, 7> kParts = {
    "Result", "Method", "Checks", "Environment", "How to reproduce", "Scope", "Evidence (SHA-256)"};

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

bool is_valid_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80U                     ? 1
                               : lead >= 0xC2U && lead <= 0xDFU ? 2
                               : lead >= 0xE0U && lead <= 0xEFU ? 3
                               : lead >= 0xF0U && lead <= 0xF4U ? 4
                                                                : 0;
    if (length == 0 || i + length > text.size()) {
      return false;
    }
    for (std::size_t k = 1; k < length; ++k) {
      if ((static_cast<unsigned char>(text[i + k]) & 0xC0U) != 0x80U) {
        return false;
      }
    }
    i += length;
  }
  return true;
}

class Linter {
 public:
  Linter(std::string_view mail, RegzbotBlock block) : lines_(lines_of(mail)), block_(block) {}

  std::vector<std::string> run() {
    const auto blank = std::find(lines_.begin(), lines_.end(), std::string_view());
    body_ = static_cast<std::size_t>(blank - lines_.begin());
    check_bytes();
    check_headers();
    check_regzbot();
    check_structure();
    check_parts();
    return std::move(faults_);
  }

 private:
  void add(std::size_t line, std::string_view what) {
    faults_.push_back(fmt::format("line {}: {}", line + 1, what));
  }

  void check_bytes() {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const std::string_view line = lines_[i];
      if (!is_valid_utf8(line)) {
        add(i, "is neither ASCII nor UTF-8");
      }
      if (std::any_of(line.begin(), line.end(),
                      [](char c) { return static_cast<unsigned char>(c) < 0x20; })) {
        add(i, "holds a tab, a carriage return or another control character");
      }
      if (!line.empty() && line.back() == ' ') {
        add(i, "ends in a blank, which format=flowed would join with the next line");
      }
      if (starts_with(line, "<html") || starts_with(line, "<!DOCTYPE") ||
          starts_with(line, "<div")) {
        add(i, "is HTML, which the lists reject");
      }
    }
  }

  void check_headers() {
    std::set<std::string> seen;
    for (std::size_t i = 0; i < body_; ++i) {
      const std::size_t colon = lines_[i].find(": ");
      if (colon == std::string_view::npos ||
          lines_[i].substr(0, colon).find(' ') != std::string_view::npos) {
        add(i, "is no header (a subject that was wrapped?)");
        continue;
      }
      check_header(i, lines_[i].substr(0, colon), lines_[i].substr(colon + 2));
      seen.emplace(lines_[i].substr(0, colon));
    }
    for (const char* name : {"To", "Cc", "Subject"}) {
      if (!seen.contains(name)) {
        add(0, fmt::format("no {} header", name));
      }
    }
  }

  void check_header(std::size_t line, std::string_view name, std::string_view value) {
    if (name == "Subject" && !starts_with(value, "[REGRESSION] ")) {
      add(line, "the subject must begin with [REGRESSION]");
    }
    if (name == "Cc" && value.find("regressions@lists.linux.dev") == std::string_view::npos) {
      add(line, "regressions@lists.linux.dev must be among the recipients");
    }
    if (name == "To" && value.find('@') == std::string_view::npos) {
      add(line, "no address of a list or maintainer");
    }
    if (name == "Content-Type" &&
        (!starts_with(value, "text/plain") || value.find("flowed") != std::string_view::npos)) {
      add(line, "must be text/plain and not format=flowed");
    }
    if (name == "Content-Transfer-Encoding" && value != "8bit" && value != "7bit") {
      add(line, "must not be encoded: a table in base64 cannot be quoted");
    }
  }

  void check_regzbot() {
    std::vector<std::size_t> commands;
    for (std::size_t i = body_; i < lines_.size(); ++i) {
      if (lines_[i].find(kRegzbot) == std::string_view::npos) {
        continue;
      }
      if (!starts_with(lines_[i], kRegzbot)) {
        add(i, "#regzbot must stand in column 1");
        continue;
      }
      check_command(i, commands.empty());
      commands.push_back(i);
    }
    if (commands.empty()) {
      if (block_ == RegzbotBlock::kRequired) {
        add(lines_.empty() ? 0 : lines_.size() - 1, "no #regzbot introduced: block");
      }
      return;
    }
    check_separation(commands);
  }

  void check_command(std::size_t line, bool is_first) {
    const std::string_view text = lines_[line].substr(kRegzbot.size());
    const std::size_t colon = text.find(':');
    if (!starts_with(text, " ") || colon == std::string_view::npos || colon < 2) {
      add(line, "must read `#regzbot command: parameter`");
      return;
    }
    const std::string_view command = text.substr(1, colon - 1);
    const std::string_view parameter = text.substr(colon + 1);
    if (std::find(kCommands.begin(), kCommands.end(), command) == kCommands.end()) {
      add(line, fmt::format("\"{}\" is no command for a first report", command));
      return;
    }
    if (!starts_with(parameter, " ") ||
        parameter.find_first_not_of(' ') == std::string_view::npos) {
      add(line, "a blank and a parameter must follow the colon");
      return;
    }
    if (is_first != (command == "introduced")) {
      add(line, is_first ? "the first command must be introduced"
                         : "only one introduced, and it comes first");
    }
    if (command == "introduced") {
      check_range(line, parameter.substr(1));
    }
  }

  void check_range(std::size_t line, std::string_view range) {
    try {
      check_introduced(range);
    } catch (const Error& error) {
      add(line, error.what());
    }
  }

  // One block: an empty line before it, none inside, an empty line after it. Without the first
  // regzbot sees nothing; without the last it takes the next line as part of the parameter.
  void check_separation(const std::vector<std::size_t>& commands) {
    const std::size_t first = commands.front();
    const std::size_t last = commands.back();
    if (!lines_[first - 1].empty()) {
      add(first, "an empty line must stand before the #regzbot block");
    }
    for (std::size_t i = first; i <= last; ++i) {
      if (!starts_with(lines_[i], kRegzbot)) {
        add(i, "the #regzbot commands must stand in one block (a line that was wrapped?)");
      }
    }
    if (last + 1 < lines_.size() && !lines_[last + 1].empty()) {
      add(last + 1, "an empty line must follow the #regzbot block (a line that was wrapped?)");
    }
  }

  // Tables, commands and digests are indented and stay whole; everything else is prose.
  void check_structure() {
    for (std::size_t i = body_ + 1; i < lines_.size(); ++i) {
      const std::string_view line = lines_[i];
      if (line.empty() || starts_with(line, " ") || starts_with(line, kRegzbot)) {
        continue;
      }
      if (starts_with(lines_[i - 1], " ")) {
        add(i, "prose right below a table, command or digest (a line that was wrapped?)");
      }
      const bool has_address = line.find("://") != std::string_view::npos;
      if (display_width(line) > kProse && !has_address) {
        add(i, fmt::format("prose wider than {} columns", kProse));
      }
    }
  }

  void check_parts() {
    for (const std::string_view part : kParts) {
      if (std::find(lines_.begin(), lines_.end(), part) == lines_.end()) {
        add(lines_.empty() ? 0 : lines_.size() - 1, fmt::format("no part \"{}\"", part));
      }
    }
    check_digests();
  }

  static bool is_digest(std::string_view word) {
    return word.size() == 64 &&
           word.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  }

  void check_digests() {
    const auto heading = std::find(lines_.begin(), lines_.end(), kParts.back());
    for (auto line = heading; line != lines_.end(); ++line) {
      if (starts_with(*line, "  ") &&
          (!is_digest(line->substr(2, line->find(' ', 2) - 2)) || line->size() < 69)) {
        add(static_cast<std::size_t>(line - lines_.begin()), "is no SHA-256 with its file");
      }
    }
  }

  std::vector<std::string_view> lines_;
  RegzbotBlock block_;
  std::size_t body_ = 0;  // the blank line that ends the headers
  std::vector<std::string> faults_;
};

}  // namespace

std::vector<std::string> lint_mail(std::string_view mail, RegzbotBlock block) {
  return Linter(mail, block).run();
}

}  // namespace msgring::report
