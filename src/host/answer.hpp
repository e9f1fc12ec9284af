// SPDX-License-Identifier: MIT
// Answer: a value, "absent (why)" or "unknown (why)": three different things everywhere.
#pragma once

#include <string>
#include <string_view>

#include "msgring/host/file.hpp"
#include "msgring/host/root.hpp"

namespace msgring::host {

/// `text` is the value when `kRead`, the reason otherwise.
struct Answer {
  FileState state = FileState::kAbsent;
  std::string text;
};

Answer value(std::string text);
Answer absent(std::string why);
Answer unknown(std::string why);

inline bool has_value(const Answer& answer) { return answer.state == FileState::kRead; }

/// The answer as it stands in a file: the value on one line ("none" for an empty one),
/// "absent (why)" or "unknown (why)".
std::string text_of(const Answer& answer);

/// The attribute at `path`; `why_absent` is the reason to give where it does not exist, an errno
/// name the one where it cannot be read.
Answer attribute(const Root& root, std::string_view path, std::string_view why_absent);

/// The value of "name: value" in the file at `path`.
Answer field(const Root& root, std::string_view path, std::string_view name);

/// The bracketed word of a list of choices, "always [madvise] never" or "none (full)"; an answer
/// without one is unknown.
Answer chosen_word(const Answer& choices, char open, char close);

}  // namespace msgring::host
