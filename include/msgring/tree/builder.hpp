// SPDX-License-Identifier: MIT
// Kernels built from a git tree, matched: what differs between two of them is what was asked for.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "msgring/boot/kernels.hpp"
#include "msgring/error.hpp"

namespace msgring::tree {

/// The revision that means "what is being edited": a snapshot of the tracked files as they are.
inline constexpr std::string_view kWorktree = "worktree";

/// One kernel to build.
struct BuildRequest {
  std::filesystem::path tree;     ///< a checkout or a repository, bare ones too; only ever read
  std::string revision = "HEAD";  ///< any that git knows, or kWorktree
  std::filesystem::path patch;    ///< applied on top; empty: none
  std::filesystem::path config;   ///< in place of msgring's own; empty: msgring's own
  std::vector<std::string> config_changes;  ///< "CONFIG_MEMCG=n"; the last of an option counts
};

/// What a kernel was built from, and what came out. Two requests of one source, configuration and
/// compiler have the same `build_id` and `image_sha256`.
struct BuildIdentity {
  std::string revision;  ///< as it was asked for
  std::string commit;    ///< its full object id
  std::string subject;   ///< the commit's first line
  std::string source;    ///< object id of the git tree that was built, changes and patch included
  std::string dirty;     ///< "clean", or "2 tracked files changed"
  std::string patch_sha256;   ///< of the patch file; "none"
  std::string config_sha256;  ///< of the options after olddefconfig
  std::string compiler;       ///< its own first line
  std::string build_id;       ///< the image's GNU build id, hexadecimal
  std::string image_sha256;
};

/// The identity as a point's context has it: "boot.revision", "boot.config_sha256", ...
std::map<std::string, std::string> identity_facts(const BuildIdentity& identity);

/// A kernel that can be booted. Its folder is never changed again.
struct BuiltKernel {
  boot::Kernel kernel;  ///< release, image and configuration, by absolute paths
  BuildIdentity identity;
  bool reused = false;  ///< it was there already
};

/// The source does not compile. The message ends in the compiler's own first error.
class BuildFailure : public Error {
 public:
  BuildFailure(const std::string& what, std::string first_error, std::filesystem::path log)
      : Error(ExitStatus::kEnvironment, what + ": " + first_error, "see " + log.native()),
        first_error_(std::move(first_error)),
        log_(std::move(log)) {}

  const std::string& first_error() const noexcept { return first_error_; }
  const std::filesystem::path& log() const noexcept { return log_; }

 private:
  std::string first_error_;
  std::filesystem::path log_;
};

/// Where and how to build.
struct BuilderSetup {
  std::filesystem::path cache_root;  ///< empty: default_cache_root()
  unsigned jobs = 0;                 ///< compilers at once; 0: one a CPU
  std::function<void(std::string_view line)> progress = [](std::string_view) {};
  std::stop_token stop = {};
};

/// `$XDG_CACHE_HOME/msgring/trees`, else `~/.cache/msgring/trees`.
std::filesystem::path default_cache_root();

/// Builds kernels, in a cache of its own.
///
///     ROOT/NAME-HASH/        one folder per repository of the user's
///       repository.git/      borrows the user's objects; snapshots and patched trees are its own
///       source/              the one checkout, moved from revision to revision
///       objects/CONFIG/      the object files of one configuration, kept: the next build is short
///       built/KEY/           vmlinuz, config, log: what was built, by source, config and compiler
///       failed/KEY.log       what the compiler said
///
/// Nothing is added to the user's repository, its worktrees or their index, and nothing there is
/// changed; git may only renew the time of loose objects that a snapshot shares, as it does to keep
/// them from being pruned. One builder at a time works in a repository's folder; others wait.
class KernelBuilder {
 public:
  /// Throws Error (kUsage) for a cache that the kernel's make could not work in.
  explicit KernelBuilder(BuilderSetup setup);

  /// Throws what build() would throw for the request itself, in seconds and without building: so
  /// that a mistake in the second of two kernels shows before the first is built.
  void check(const BuildRequest& request);

  /// Throws BuildFailure for what does not compile; Error (kUsage) for a tree that is no kernel, an
  /// unknown revision, a patch that does not apply (and which hunk), a configuration that loses
  /// what a measured boot needs (and which option); Error (kEnvironment) for missing tools (and
  /// their packages) and a full disk; Error (kInterrupted) when stopped. What was built stays.
  BuiltKernel build(const BuildRequest& request);

 private:
  BuiltKernel build_or_reuse(const BuildRequest& request);
  void check_source(const BuildRequest& request) const;

  BuilderSetup setup_;
};

/// An option whose value differs between two configurations; "n" is also one that is not there.
struct ConfigDifference {
  std::string option;
  std::string a;
  std::string b;
  bool operator==(const ConfigDifference&) const = default;
};

/// Options that differ between two .config texts, in order of their names.
std::vector<ConfigDifference> config_differences(std::string_view a, std::string_view b);

}  // namespace msgring::tree
