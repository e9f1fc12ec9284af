// SPDX-License-Identifier: MIT
// What a program needs at run time: its interpreter from the ELF file, its libraries from the
// interpreter.
#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <sstream>

#include "msgring/boot/initramfs.hpp"
#include "msgring/error.hpp"
#include "msgring/host/process.hpp"
#include "msgring/host/whole_file.hpp"

namespace msgring::boot {
namespace {

#if defined(__x86_64__)
constexpr Elf64_Half kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr Elf64_Half kMachine = EM_AARCH64;
#elif defined(__riscv)
constexpr Elf64_Half kMachine = EM_RISCV;
#else
#error "name this machine's ELF number here"
#endif

[[noreturn]] void refuse(const std::filesystem::path& program, std::string_view why) {
  throw Error(ExitStatus::kUsage, fmt::format("{}: {}", program.native(), why),
              "give the compiled benchmark program");
}

template <typename Header>
Header header_at(std::string_view bytes, std::uint64_t offset,
                 const std::filesystem::path& program) {
  Header header{};
  if (offset > bytes.size() || bytes.size() - offset < sizeof header) {
    refuse(program, "a cut ELF file");
  }
  std::memcpy(&header, bytes.data() + offset, sizeof header);
  return header;
}

std::filesystem::path interpreter_of(std::string_view bytes, const std::filesystem::path& program) {
  if (bytes.substr(0, SELFMAG) != std::string_view(ELFMAG, SELFMAG)) {
    refuse(program, "no ELF file");
  }
  const auto elf = header_at<Elf64_Ehdr>(bytes, 0, program);
  if (elf.e_ident[EI_CLASS] != ELFCLASS64 || elf.e_machine != kMachine) {
    refuse(program, "an ELF file for another machine");
  }
  for (std::uint64_t i = 0; i < elf.e_phnum; ++i) {
    const auto part = header_at<Elf64_Phdr>(bytes, elf.e_phoff + i * elf.e_phentsize, program);
    if (part.p_type == PT_INTERP) {
      const std::string_view name =
          bytes.substr(std::min<std::uint64_t>(part.p_offset, bytes.size()), part.p_filesz);
      return name.substr(0, name.find('\0'));
    }
  }
  return {};
}

/// The path in a line of `ld.so --list`: "libx.so.1 => /lib/libx.so.1 (0x7f...)". Empty for the
/// vdso and for the interpreter itself, which have no arrow.
std::filesystem::path library_in(const std::string& line, const std::filesystem::path& program) {
  const std::size_t arrow = line.find(" => ");
  if (arrow == std::string::npos) {
    return {};
  }
  const std::string rest = line.substr(arrow + 4);
  if (rest.substr(0, 9) == "not found") {
    const std::size_t name = line.find_first_not_of(" \t");
    throw Error(
        ExitStatus::kEnvironment,
        fmt::format("{}: library {} is missing", program.native(), line.substr(name, arrow - name)),
        "install the library's package; scripts/install-deps installs all");
  }
  return rest.substr(0, rest.rfind(" ("));
}

}  // namespace

ProgramFiles resolve_program(const std::filesystem::path& program) {
  ProgramFiles files;
  files.interpreter = interpreter_of(host::read_file(program), program);
  if (files.interpreter.empty()) {
    return files;
  }
  const std::filesystem::path absolute = std::filesystem::absolute(program);
  const host::ProgramResult result = host::run_program(
      {files.interpreter.native(), "--list", absolute.native()}, std::chrono::seconds(30));
  std::istringstream lines(result.output);
  for (std::string line; std::getline(lines, line);) {
    if (const auto library = library_in(line, program);
        !library.empty() && library != files.interpreter) {
      files.libraries.push_back(library);
    }
  }
  if (!result.end.ok()) {
    throw Error(ExitStatus::kEnvironment, fmt::format("{}: {} --list: {}", program.native(),
                                                      files.interpreter.native(), result.errors));
  }
  std::sort(files.libraries.begin(), files.libraries.end());
  return files;
}

}  // namespace msgring::boot
