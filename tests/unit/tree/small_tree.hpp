// SPDX-License-Identifier: MIT
// SmallTree: a git repository with what msgring asks of a kernel's build, in a few lines of make.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "msgring/host/temporary_folder.hpp"

namespace msgring::tree {

/// Real git, real make, a real compiler and linker; only the kernel is missing. Its image is the
/// text of `.config`, the release and the linked object of `io_uring/rsrc.c`.
class SmallTree {
 public:
  SmallTree();

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path scratch(const std::string& name) const { return root_.path() / name; }

  /// What `git arguments` printed in the tree. Throws when it fails.
  std::string git(const std::vector<std::string>& arguments) const;
  void write(const std::string& file, const std::string& text) const;
  /// Writes, commits, and returns the commit's id.
  std::string commit(const std::string& file, const std::string& text) const;
  /// All that must stay as it is: every file with its size and time, `git worktree list`, `git
  /// status`. Of loose objects not the time: git renews it when a snapshot shares them.
  std::string state() const;

 private:
  host::TemporaryFolder root_{"msgring-tree"};
  std::filesystem::path folder_ = root_.path() / "linux";
};

/// The text of io_uring/rsrc.c: ten lines, of which the fifth returns `value`.
std::string rsrc_text(int value);

}  // namespace msgring::tree
