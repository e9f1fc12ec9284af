// SPDX-License-Identifier: MIT
// Parsing of /proc/self/status and /proc/self/limits (proc(5)).
#include "process_status.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string>

#include "msgring/host/file.hpp"
#include "parse.hpp"

namespace msgring::host {
namespace {

std::optional<std::uint64_t> hexadecimal(const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  if (error != std::errc{} || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return number;
}

}  // namespace

ProcessStatus read_process_status(const Root& root) {
  const std::string text = read_text_file(root.path("/proc/self/status")).text;
  ProcessStatus status;
  status.effective_capabilities = hexadecimal(field_of(text, "CapEff").value_or(""));
  status.seccomp = parse_number<int>(field_of(text, "Seccomp").value_or(""));
  // "Gid: real effective saved file-system"
  const std::string own = field_of(text, "Gid").value_or("");
  if (const auto ids = words_of(own); ids.size() >= 2) {
    if (const auto group = parse_number<std::uint32_t>(ids[1])) {
      status.groups.push_back(*group);
    }
  }
  const std::string others = field_of(text, "Groups").value_or("");
  for (const auto word : words_of(others)) {
    if (const auto group = parse_number<std::uint32_t>(word)) {
      status.groups.push_back(*group);
    }
  }
  return status;
}

ProcessLimit read_process_limit(const Root& root, std::string_view name) {
  const Answer file = attribute(root, "/proc/self/limits", "no /proc/self/limits");
  for (const std::string_view line : lines_of(has_value(file) ? file.text : std::string_view())) {
    if (line.starts_with(name)) {
      if (const auto words = words_of(line.substr(name.size())); words.size() >= 2) {
        return {value(std::string(words[0])), value(std::string(words[1]))};
      }
    }
  }
  const Answer reason =
      has_value(file) ? absent(fmt::format("no \"{}\" in /proc/self/limits", name)) : file;
  return {reason, reason};
}

bool has_capability(const ProcessStatus& status, unsigned capability) {
  return ((status.effective_capabilities.value_or(0) >> capability) & 1U) != 0;
}

}  // namespace msgring::host
