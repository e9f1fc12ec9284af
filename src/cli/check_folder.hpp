// SPDX-License-Identifier: MIT
// A run's folder under `msgring check`.
#pragma once

#include <filesystem>

namespace msgring::cli {

/// Verifies a folder that `msgring aba` made: every file against its digest, every point against
/// the rules for points. Prints one line if all is well; throws Error (kInvalid) with the first
/// fault and their number otherwise.
void check_folder(const std::filesystem::path& folder);

}  // namespace msgring::cli
