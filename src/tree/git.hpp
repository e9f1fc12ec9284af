// SPDX-License-Identifier: MIT
// Running git where nothing of the caller's repository, environment or hooks is touched.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "msgring/host/process.hpp"

namespace msgring::tree {

/// What one git command works on; an empty path leaves it to git.
struct GitPlace {
  std::filesystem::path folder;     ///< where it runs
  std::filesystem::path git_dir;    ///< GIT_DIR
  std::filesystem::path work_tree;  ///< GIT_WORK_TREE
  std::filesystem::path index;      ///< GIT_INDEX_FILE
  std::filesystem::path objects;    ///< GIT_OBJECT_DIRECTORY: new objects go there
};

/// Runs git to its end. Of the caller's environment nothing that points it elsewhere is left; no
/// hook, no monitor and no optional lock is used (git(1), GIT_OPTIONAL_LOCKS).
host::ProgramResult run_git(const GitPlace& place, const std::vector<std::string>& arguments,
                            const std::stop_token& stop);

/// The same; what it printed, without the last line end. Throws Error (kUsage) with git's own
/// reason after `what` when it fails.
std::string git_output(const GitPlace& place, const std::vector<std::string>& arguments,
                       const std::string& what, const std::stop_token& stop);

/// The first line that says what was wrong, without "fatal: " or "error: ".
std::string git_reason(const std::string& errors);

/// Lines of a text, without their ends.
std::vector<std::string> lines_of(const std::string& text);

}  // namespace msgring::tree
