// SPDX-License-Identifier: MIT
// TemporaryFolder: a folder of one's own that goes away with its owner.
#pragma once

#include <filesystem>
#include <string_view>
#include <utility>

namespace msgring::host {

/// Owns a fresh folder and removes it with all that is in it. Move-only.
class TemporaryFolder {
 public:
  /// Makes `<parent>/<prefix>.XXXXXX`; an empty `parent` is the system's folder for such things.
  explicit TemporaryFolder(std::string_view prefix, const std::filesystem::path& parent = {});
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

/// Removes a folder that has a name of its own when its owner goes.
class FolderCleanup {
 public:
  explicit FolderCleanup(std::filesystem::path path) : path_(std::move(path)) {}
  ~FolderCleanup();
  FolderCleanup(const FolderCleanup&) = delete;
  FolderCleanup& operator=(const FolderCleanup&) = delete;

 private:
  std::filesystem::path path_;
};

}  // namespace msgring::host
