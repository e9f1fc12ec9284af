// SPDX-License-Identifier: MIT
// Files that are read in one piece, and written so that they are whole or absent.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace msgring::host {

/// Everything in a file, of any size. Throws std::system_error that names it.
std::string read_file(const std::filesystem::path& path);

/// The part of a file from byte `offset` on; empty when it is not longer than that, or absent.
std::string read_file_from(const std::filesystem::path& path, std::size_t offset);

/// A file that is whole or absent, even after a crash (OutputFile). Throws Error when it is
/// already there, since evidence is never overwritten, and when the folder cannot take it.
void write_new_file(const std::filesystem::path& path, std::string_view text);

/// Makes what happened to the names in a folder last (fsync(2)).
void sync_folder(const std::filesystem::path& folder);

}  // namespace msgring::host
