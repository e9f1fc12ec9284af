// SPDX-License-Identifier: MIT
// mkdtemp(3) with an owner.
#include "msgring/host/temporary_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

#include "msgring/error.hpp"

namespace msgring::host {

TemporaryFolder::TemporaryFolder(std::string_view prefix, const std::filesystem::path& parent) {
  const std::filesystem::path base =
      parent.empty() ? std::filesystem::temp_directory_path() : parent;
  std::string name = (base / (std::string(prefix) + ".XXXXXX")).native();
  if (::mkdtemp(name.data()) == nullptr) {
    throw_system_error(errno, "mkdtemp", name);
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  if (!path_.empty()) {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
}

FolderCleanup::~FolderCleanup() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}

}  // namespace msgring::host
