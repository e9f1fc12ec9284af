// SPDX-License-Identifier: MIT
#include "source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "msgring/host/sha256.hpp"
#include "msgring/host/temporary_folder.hpp"
#include "msgring/host/whole_file.hpp"
#include "patch.hpp"

namespace msgring::tree {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kShortId = 12;

std::string short_id(const std::string& id) { return id.substr(0, kShortId); }

[[noreturn]] void refuse(const std::string& what, const std::string& hint) {
  throw Error(ExitStatus::kUsage, what, hint);
}

std::string read_patch(const fs::path& patch) {
  std::error_code ignored;
  if (!fs::is_regular_file(patch, ignored)) {
    refuse(fmt::format("patch {}: no such file", patch.native()),
           "give a file that `git diff` or `git format-patch` wrote");
  }
  return host::read_file(patch);
}

/// Is it `make`'s, kconfig's, or a program of theirs? `path` is relative to the kernel's tree.
bool decides_configuration(std::string_view path) {
  for (const std::string_view folder : {"scripts/", "kernel/configs/", "arch/x86/configs/"}) {
    if (path.rfind(folder, 0) == 0) {
      return true;
    }
  }
  const std::size_t slash = path.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  const bool is_script = name.size() > 3 && name.substr(name.size() - 3) == ".sh";
  return name.rfind("Kconfig", 0) == 0 || name == "Makefile" || is_script;
}

}  // namespace

std::string UserRepository::cache_name() const {
  const fs::path named = common_dir.filename() == ".git" ? common_dir.parent_path() : common_dir;
  std::string name = named.filename();
  std::replace_if(
      name.begin(), name.end(),
      [](unsigned char letter) { return std::isalnum(letter) == 0 && letter != '.'; }, '_');
  return fmt::format("{}-{}", name, short_id(host::sha256_of_bytes(common_dir.native())));
}

UserRepository find_repository(const fs::path& tree, const std::stop_token& stop) {
  const std::string what = fmt::format("tree {}", tree.native());
  std::error_code ignored;
  if (!fs::is_directory(tree, ignored)) {
    refuse(what + ": no such folder", "give a git checkout or repository of Linux");
  }
  const std::vector<std::string> answers = lines_of(
      git_output({tree, {}, {}, {}, {}},
                 {"rev-parse", "--path-format=absolute", "--git-common-dir", "--git-path",
                  "objects", "--git-path", "index", "--show-object-format", "--is-bare-repository"},
                 what, stop));
  if (answers.size() != 5) {
    refuse(what + ": this git is too old to describe it", "msgring needs git 2.31 or newer");
  }
  return {fs::absolute(tree), answers[0], answers[1], answers[2], answers[3], answers[4] == "true"};
}

SourceRepository::SourceRepository(UserRepository user, fs::path folder, std::stop_token stop)
    : user_(std::move(user)),
      folder_(std::move(folder)),
      git_dir_(folder_ / "repository.git"),
      stop_(std::move(stop)) {
  create();
}

void SourceRepository::create() const {
  if (fs::exists(git_dir_ / "objects" / "info" / "alternates")) {
    return;
  }
  git_output(
      {folder_, {}, {}, {}, {}},
      {"init", "--quiet", "--bare", "--object-format=" + user_.object_format, git_dir_.native()},
      "a repository in the cache", stop_);
  // What is compiled are the repository's own bytes.
  git_output(own(), {"config", "core.autocrlf", "false"}, "a repository in the cache", stop_);
  host::write_new_file(git_dir_ / "objects" / "info" / "alternates", user_.objects.native() + "\n");
}

std::string SourceRepository::find_commit(const std::string& revision) const {
  const auto result =
      revision.empty() || revision.front() == '-'
          ? host::ProgramResult{{1, 0}, {}, {}}
          : run_git(of_user(), {"rev-parse", "--verify", "--quiet", revision + "^{commit}"}, stop_);
  if (!result.end.ok()) {
    refuse(fmt::format("tree {}: no revision '{}'", user_.tree.native(), revision),
           "give a commit, tag or branch that `git log` there knows (git fetch gets new ones), or "
           "`worktree`");
  }
  return lines_of(result.output).front();
}

std::string SourceRepository::snapshot(const std::string& commit, std::string& dirty) const {
  const std::string what = fmt::format("tree {}: its worktree", user_.tree.native());
  if (user_.bare || !fs::exists(user_.index)) {
    refuse(what + ": there is none", "a bare repository has only commits: name one");
  }
  const fs::path top = git_output(of_user(), {"rev-parse", "--show-toplevel"}, what, stop_);
  const host::TemporaryFolder scratch(".snapshot", folder_);
  const GitPlace place{top, {}, {}, scratch.path() / "index", git_dir_ / "objects"};
  fs::copy_file(user_.index, place.index);
  // Git tells whether a file may have changed since the index was written by the index's own time.
  fs::last_write_time(place.index, fs::last_write_time(user_.index));
  const std::string unmerged =
      git_output(place, {"diff-files", "--name-only", "--diff-filter=U"}, what, stop_);
  if (!unmerged.empty()) {
    refuse(fmt::format("{}: {} is not merged yet", what, lines_of(unmerged).front()),
           "resolve the conflict first");
  }
  git_output(place, {"add", "--update"}, what, stop_);
  const std::string changed =
      git_output(place, {"diff-index", "--cached", "--name-only", commit}, what, stop_);
  if (const std::size_t files = lines_of(changed).size(); files > 0) {
    dirty = fmt::format("{} tracked file{} changed", files, files == 1 ? "" : "s");
  }
  return git_output(place, {"write-tree"}, what, stop_);
}

std::string SourceRepository::patched(const std::string& tree, const BuildRequest& request) const {
  const std::string patch = read_patch(request.patch);
  const std::string what = fmt::format("patch {}", request.patch.native());
  const host::TemporaryFolder scratch(".patch", folder_);
  GitPlace place = own();
  place.index = scratch.path() / "index";
  git_output(place, {"read-tree", tree}, what, stop_);
  const auto result =
      run_git(place, {"apply", "--cached", fs::absolute(request.patch).native()}, stop_);
  if (!result.end.ok()) {
    refuse(fmt::format("{}: does not apply to {}: {}", what, request.revision,
                       rejected_hunk(patch, result.errors)),
           "rebase the patch onto that revision");
  }
  return git_output(place, {"write-tree"}, what, stop_);
}

void SourceRepository::check_kernel(const std::string& tree, const BuildRequest& request) const {
  for (const char* file : {"Kconfig", "Makefile", "init/main.c", "arch/x86/Makefile"}) {
    const std::string found = git_output(own(), {"ls-tree", "--name-only", tree, file},
                                         "tree " + user_.tree.native(), stop_);
    if (found.empty()) {
      refuse(fmt::format("tree {}: {} is no Linux kernel: it has no {}", user_.tree.native(),
                         request.revision, file),
             "give a git tree of Linux");
    }
  }
}

Source SourceRepository::resolve(const BuildRequest& request) const {
  const bool worktree = request.revision == kWorktree;
  Source source;
  source.commit = find_commit(worktree ? "HEAD" : request.revision);
  source.dirty = "clean";
  const std::string what = "tree " + user_.tree.native();
  source.subject =
      git_output(of_user(), {"show", "--no-patch", "--format=%s", source.commit}, what, stop_);
  source.tree = worktree
                    ? snapshot(source.commit, source.dirty)
                    : git_output(of_user(), {"rev-parse", source.commit + "^{tree}"}, what, stop_);
  check_kernel(source.tree, request);
  source.patch_sha256 = "none";
  if (!request.patch.empty()) {
    source.tree = patched(source.tree, request);
    source.patch_sha256 = host::sha256_of_file(request.patch);
  }
  return source;
}

void SourceRepository::check_out(const std::string& tree) const {
  const std::string what = "the checkout in " + checkout().native();
  fs::create_directories(checkout());
  // The folder is locked: whoever made this is gone.
  fs::remove(git_dir_ / "index.lock");
  GitPlace place = own();
  place.folder = checkout();
  place.work_tree = checkout();
  git_output(place, {"read-tree", "--reset", "-u", tree}, what, stop_);
  git_output(place, {"checkout-index", "--all", "--force", "--index", "--quiet"}, what, stop_);
  git_output(place, {"clean", "-ffdxq"}, what, stop_);
}

std::string SourceRepository::config_inputs(const std::string& tree) const {
  std::string inputs;
  // "100644 blob OBJECT-ID<tab>PATH"
  for (const std::string& line : lines_of(
           git_output(own(), {"ls-tree", "-r", tree}, "the files of " + short_id(tree), stop_))) {
    const std::size_t tab = line.find('\t');
    if (tab != std::string::npos && decides_configuration(std::string_view(line).substr(tab + 1))) {
      inputs += line + "\n";
    }
  }
  return inputs;
}

}  // namespace msgring::tree
