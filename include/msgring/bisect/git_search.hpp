// SPDX-License-Identifier: MIT
// The commits between two revisions, searched by `git bisect` itself.
#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "msgring/bisect/search.hpp"

namespace msgring::bisect {

/// The full object id of the commit that `revision` names in `tree`. Throws Error (kUsage) when
/// `tree` is no git repository or has no such commit, Error (kEnvironment) without git.
std::string commit_of(const std::filesystem::path& tree, const std::string& revision,
                      const std::stop_token& stop);

/// `git bisect` in a bare repository of its own, which borrows the objects of the user's: nothing
/// of the user's repository is written to, neither its refs nor its worktrees nor their index.
///
/// Candidates are full commit ids. `git --git-dir=REPOSITORY bisect log` shows how far it is.
class GitSearch final : public Search {
 public:
  /// Begins in `repository`, which is made anew. `good` and `bad` are full commit ids.
  /// Throws Error (kUsage) for ends that are one commit or in the wrong order.
  GitSearch(const std::filesystem::path& tree, std::filesystem::path repository, std::string good,
            const std::string& bad, std::stop_token stop);

  std::optional<std::string> next() const override { return next_; }
  /// Throws Error (kUsage) with git's own words where it refuses the answer.
  void tell(const std::string& candidate, Answer answer) override;
  Found found() const override;
  std::size_t steps_left() const override { return steps_left_; }
  /// "0123456789ab subject of the commit", shortened.
  std::string label(const std::string& candidate) const override;
  /// The first 12 digits.
  std::string name(const std::string& candidate) const override;

  /// As `git bisect log` prints it; `git bisect replay` takes it.
  std::string log() const;

 private:
  std::string git(std::vector<std::string> arguments) const;
  void bisect(std::vector<std::string> arguments);
  std::vector<std::string> commits_in_log(std::string_view prefix) const;

  std::filesystem::path repository_;
  std::string last_good_;
  std::stop_token stop_;
  std::optional<std::string> next_;
  std::size_t steps_left_ = 0;
};

}  // namespace msgring::bisect
