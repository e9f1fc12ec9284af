// SPDX-License-Identifier: MIT
// The source of one build: what a request stands for in git, and the checkout that is compiled.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>

#include "git.hpp"
#include "msgring/tree/builder.hpp"

namespace msgring::tree {

/// The user's repository, as git finds it from any folder in it.
struct UserRepository {
  std::filesystem::path tree;        ///< as the user named it
  std::filesystem::path common_dir;  ///< what all its worktrees share
  std::filesystem::path objects;
  std::filesystem::path index;
  std::string object_format;
  bool bare = false;

  /// A file name of its own: "linux-0123456789ab".
  std::string cache_name() const;
};

/// Throws Error (kUsage) for a folder that belongs to no repository.
UserRepository find_repository(const std::filesystem::path& tree, const std::stop_token& stop);

/// What is compiled.
struct Source {
  std::string commit;
  std::string subject;
  std::string tree;  ///< object id
  std::string dirty;
  std::string patch_sha256;
};

/// Our own repository, beside the one checkout that is compiled, in `folder`. It borrows the user's
/// objects (gitrepository-layout(5), objects/info/alternates); what it adds is kept in its own.
class SourceRepository {
 public:
  SourceRepository(UserRepository user, std::filesystem::path folder, std::stop_token stop);

  /// Finds the commit, takes the snapshot, applies the patch: all in git's objects, no checkout.
  /// Throws Error (kUsage): unknown revision, a patch that does not apply, no kernel.
  Source resolve(const BuildRequest& request) const;

  /// Makes the checkout exactly `tree`. Only files that differ are written, so that `make` compiles
  /// no more than it must; whatever an interrupted build left there is repaired.
  void check_out(const std::string& tree) const;

  /// What a configuration of `tree` depends on beside the options asked for: the object ids of its
  /// Kconfig files, makefiles, default configurations and scripts, a line each.
  std::string config_inputs(const std::string& tree) const;

  std::filesystem::path checkout() const { return folder_ / "source"; }

 private:
  GitPlace of_user() const { return {user_.tree, {}, {}, {}, {}}; }
  GitPlace own() const { return {folder_, git_dir_, {}, {}, {}}; }
  void create() const;
  std::string find_commit(const std::string& revision) const;
  std::string snapshot(const std::string& commit, std::string& dirty) const;
  std::string patched(const std::string& tree, const BuildRequest& request) const;
  void check_kernel(const std::string& tree, const BuildRequest& request) const;

  UserRepository user_;
  std::filesystem::path folder_;
  std::filesystem::path git_dir_;
  std::stop_token stop_;
};

}  // namespace msgring::tree
