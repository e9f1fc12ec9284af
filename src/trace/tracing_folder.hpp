// SPDX-License-Identifier: MIT
// Where tracefs is.
#pragma once

#include <filesystem>
#include <string>

#include "msgring/host/root.hpp"

namespace msgring::trace {

/// A usable tracing folder, or why there is none.
struct TracingFolder {
  std::filesystem::path path;  ///< empty: none
  std::string reason;          ///< why there is none, or what was done to have one
};

/// Looks for tracefs where it is mounted by custom; on this machine it is mounted for this process
/// alone where it is not, which changes nothing for others.
TracingFolder find_tracing_folder(const host::Root& root);

}  // namespace msgring::trace
