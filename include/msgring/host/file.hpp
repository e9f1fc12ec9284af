// SPDX-License-Identifier: MIT
// Reading small text files and folders with three different outcomes: read, absent, unreadable.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace msgring::host {

/// `kAbsent`: it does not exist (ENOENT, ENOTDIR). `kUnreadable`: it exists, but the kernel or the
/// permissions do not give it out (EACCES, EPERM, EIO, EBUSY, ...).
enum class FileState { kRead, kAbsent, kUnreadable };

/// What reading a file gave. `text` is everything in it, line ends included, when `kRead`; `error`
/// is a positive errno value otherwise.
struct TextFile {
  FileState state = FileState::kAbsent;
  std::string text;
  int error = 0;
};

/// Reads a whole file of at most 4 MiB; a larger one is `kUnreadable` with EFBIG. Never throws for
/// the file's sake. Files of /proc and /sys, whose size reads 0, are read like any other.
TextFile read_text_file(const std::filesystem::path& path);

/// The same, without the white space at both ends: what a one-line attribute says.
TextFile read_attribute(const std::filesystem::path& path);

/// What listing a folder gave: entry names in ascending order, without "." and "..".
struct FolderList {
  FileState state = FileState::kAbsent;
  std::vector<std::string> names;
  int error = 0;
};

FolderList list_folder(const std::filesystem::path& path);

}  // namespace msgring::host
