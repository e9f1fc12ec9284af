// SPDX-License-Identifier: MIT
// Boot witnesses from /proc, the kernel's build id from /sys/kernel/notes.
#include "msgring/host/boot_identity.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "answer.hpp"
#include "msgring/host/file.hpp"
#include "parse.hpp"

namespace msgring::host {
namespace {

/// The kernel aligns names and descriptions of its notes to 4 bytes (elf(5)).
constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 3) & ~std::size_t{3}; }

std::string hexadecimal(std::string_view bytes) {
  std::string digits;
  for (const char byte : bytes) {
    digits += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  }
  return digits;
}

Answer build_id(const Root& root) {
  const TextFile notes = read_text_file(root.path("/sys/kernel/notes"));
  if (notes.state != FileState::kRead) {
    return attribute(root, "/sys/kernel/notes", "no /sys/kernel/notes");
  }
  auto id = build_id_of_notes(notes.text);
  return id ? value(std::move(*id)) : absent("no GNU build id in /sys/kernel/notes");
}

std::optional<std::int64_t> boot_time(const Root& root) {
  const std::string stat = read_text_file(root.path("/proc/stat")).text;
  for (const auto line : lines_of(stat)) {
    const auto words = words_of(line);
    if (words.size() == 2 && words[0] == "btime") {
      return parse_number<std::int64_t>(words[1]);
    }
  }
  return std::nullopt;
}

std::optional<double> uptime(const Root& root) {
  const std::string text = read_text_file(root.path("/proc/uptime")).text;
  const auto words = words_of(text);
  return words.empty() ? std::nullopt : parse_number<double>(words[0]);
}

}  // namespace

std::optional<std::string> build_id_of_notes(std::string_view notes) {
  while (notes.size() >= sizeof(Elf64_Nhdr)) {
    Elf64_Nhdr header;  // three 32-bit words, the same in 32-bit files
    std::memcpy(&header, notes.data(), sizeof header);
    notes.remove_prefix(sizeof header);
    const std::size_t name_bytes = aligned(header.n_namesz);
    const std::size_t description_bytes = aligned(header.n_descsz);
    if (notes.size() < name_bytes || notes.size() - name_bytes < header.n_descsz) {
      return std::nullopt;
    }
    const std::string_view name = notes.substr(0, header.n_namesz);
    if (header.n_type == NT_GNU_BUILD_ID && name == std::string_view("GNU\0", 4)) {
      return hexadecimal(notes.substr(name_bytes, header.n_descsz));
    }
    notes.remove_prefix(std::min(notes.size(), name_bytes + description_bytes));
  }
  return std::nullopt;
}

BootIdentity read_boot_identity(const Root& root) {
  return {text_of(attribute(root, "/proc/sys/kernel/random/boot_id", "no boot_id in /proc")),
          boot_time(root), uptime(root),
          text_of(attribute(root, "/proc/sys/kernel/osrelease", "no osrelease in /proc")),
          text_of(build_id(root))};
}

}  // namespace msgring::host
