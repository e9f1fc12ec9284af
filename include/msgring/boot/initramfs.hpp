// SPDX-License-Identifier: MIT
// The guest's whole user space: one program as /init, its loader and its shared libraries.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace msgring::boot {

/// The files that a dynamically linked program needs at run time.
struct ProgramFiles {
  std::filesystem::path interpreter;             ///< as PT_INTERP spells it; empty when static
  std::vector<std::filesystem::path> libraries;  ///< resolved, in name order, vdso left out
};

/// Asks the program's own loader (`ld.so --list`), without running the program.
///
/// Throws Error (kUsage) when `program` is no ELF file for this machine, Error (kEnvironment) when
/// a library is missing, std::system_error when a file cannot be read.
ProgramFiles resolve_program(const std::filesystem::path& program);

/// `kNone` boots fastest under emulation, where every instruction of a decompressor is emulated.
enum class Compression { kNone, kGzip };

/// A cpio archive ("newc", the kernel's Documentation/driver-api/early-userspace/buffer-format.rst)
/// with `program` as /init, /dev/console and the folders to mount on.
///
/// The same inputs give the same bytes: entries are sorted, times are 0, owners are root.
std::string make_initramfs(const std::filesystem::path& program,
                           Compression compression = Compression::kNone);

/// A second archive with the given files, path to text, in folders that make_initramfs() has or
/// that it makes. The kernel unpacks archives that stand one after the other into one tree.
std::string make_small_archive(const std::map<std::string, std::string>& files);

}  // namespace msgring::boot
