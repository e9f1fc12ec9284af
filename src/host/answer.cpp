// SPDX-License-Identifier: MIT
// From files to answers, and from answers to text.
#include "answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "msgring/error.hpp"
#include "parse.hpp"

namespace msgring::host {
namespace {

Answer answer_of(TextFile file, std::string_view why_absent) {
  switch (file.state) {
    case FileState::kRead:
      return value(std::move(file.text));
    case FileState::kAbsent:
      return absent(std::string(why_absent));
    default:
      return unknown(errno_name(file.error));
  }
}

}  // namespace

Answer value(std::string text) { return {FileState::kRead, std::move(text)}; }
Answer absent(std::string why) { return {FileState::kAbsent, std::move(why)}; }
Answer unknown(std::string why) { return {FileState::kUnreadable, std::move(why)}; }

std::string text_of(const Answer& answer) {
  if (!has_value(answer)) {
    return fmt::format("{} ({})", answer.state == FileState::kAbsent ? "absent" : "unknown",
                       answer.text);
  }
  std::string text(trimmed(answer.text));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\t' || c == '\0'; }, ' ');
  return text.empty() ? "none" : text;
}

Answer attribute(const Root& root, std::string_view path, std::string_view why_absent) {
  return answer_of(read_attribute(root.path(path)), why_absent);
}

Answer field(const Root& root, std::string_view path, std::string_view name) {
  Answer file = attribute(root, path, fmt::format("no {}", path));
  if (!has_value(file)) {
    return file;
  }
  auto found = field_of(file.text, name);
  return found ? value(std::move(*found)) : absent(fmt::format("no {} in {}", name, path));
}

Answer chosen_word(const Answer& choices, char open, char close) {
  if (!has_value(choices)) {
    return choices;
  }
  for (const std::string_view word : words_of(choices.text)) {
    if (word.size() > 2 && word.front() == open && word.back() == close) {
      return value(std::string(word.substr(1, word.size() - 2)));
    }
  }
  return unknown(fmt::format("no choice marked in \"{}\"", choices.text));
}

}  // namespace msgring::host
