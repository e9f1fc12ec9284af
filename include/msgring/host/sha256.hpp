// SPDX-License-Identifier: MIT
// SHA-256 as lower-case hexadecimal: what identifies a binary, a kernel configuration, evidence.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace msgring::host {

/// The digest of `bytes`, 64 hexadecimal digits.
std::string sha256_of_bytes(std::string_view bytes);

/// The digest of a file of any size, read in pieces. Throws std::system_error if it cannot be read.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace msgring::host
