// SPDX-License-Identifier: MIT
// What a request stands for in git, on real repositories: found, snapshot, patched, checked out;
// and the user's repository as it was.
#include "source.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <functional>

#include "msgring/host/whole_file.hpp"
#include "small_tree.hpp"

namespace msgring::tree {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class SourceTest : public ::testing::Test {
 protected:
  SourceRepository repository(const fs::path& user) const {
    fs::create_directories(cache());
    return {find_repository(user, {}), cache(), {}};
  }
  SourceRepository repository() const { return repository(tree_.folder()); }

  BuildRequest request(const std::string& revision) const {
    BuildRequest request;
    request.tree = tree_.folder();
    request.revision = revision;
    return request;
  }

  BuildRequest patched(const std::string& patch) const {
    BuildRequest patched = request("HEAD");
    patched.patch = tree_.scratch("a.patch");
    std::ofstream(patched.patch) << patch;
    return patched;
  }

  std::string checked_out(const std::string& file) const {
    return host::read_file(cache() / "source" / file);
  }

  fs::path cache() const { return tree_.scratch("cache"); }

  SmallTree tree_;
};

std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), ExitStatus::kUsage);
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return describe(error);
  }
  return "nothing was thrown";
}

TEST_F(SourceTest, ChecksOutAnyRevisionAndWritesOnlyWhatDiffers) {
  const std::string old = tree_.git({"rev-parse", "HEAD"});
  tree_.commit("io_uring/rsrc.c", rsrc_text(2));
  const SourceRepository repository = this->repository();
  const Source newer = repository.resolve(request("HEAD"));
  EXPECT_EQ(newer.subject, "change io_uring/rsrc.c");
  EXPECT_EQ(newer.dirty, "clean");
  repository.check_out(newer.tree);
  EXPECT_EQ(checked_out("io_uring/rsrc.c"), rsrc_text(2));
  const auto untouched = fs::last_write_time(cache() / "source" / "Kconfig");
  const Source older = repository.resolve(request("HEAD~1"));
  EXPECT_EQ(older.commit, old);
  repository.check_out(older.tree);
  EXPECT_EQ(checked_out("io_uring/rsrc.c"), rsrc_text(1));
  EXPECT_EQ(fs::last_write_time(cache() / "source" / "Kconfig"), untouched);
}

TEST_F(SourceTest, RepairsWhatAKilledBuildLeft) {
  const SourceRepository repository = this->repository();
  const std::string tree = repository.resolve(request("HEAD")).tree;
  repository.check_out(tree);
  std::ofstream(cache() / "source" / "io_uring" / "rsrc.c") << "half";
  fs::remove(cache() / "source" / "Kconfig");
  std::ofstream(cache() / "source" / "left.o") << "x";
  std::ofstream(cache() / "repository.git" / "index.lock") << "";
  repository.check_out(tree);
  EXPECT_EQ(checked_out("io_uring/rsrc.c"), rsrc_text(1));
  EXPECT_TRUE(fs::exists(cache() / "source" / "Kconfig"));
  EXPECT_FALSE(fs::exists(cache() / "source" / "left.o"));
}

TEST_F(SourceTest, TakesASnapshotOfTrackedChangesStagedOrNot) {
  tree_.write("io_uring/rsrc.c", rsrc_text(3));
  tree_.write("version", "9.2.0\n");
  tree_.git({"add", "version"});
  tree_.write("untracked.c", "x\n");
  const std::string before = tree_.state();
  const SourceRepository repository = this->repository();
  const Source source = repository.resolve(request("worktree"));
  EXPECT_EQ(source.dirty, "2 tracked files changed");
  repository.check_out(source.tree);
  EXPECT_EQ(checked_out("io_uring/rsrc.c"), rsrc_text(3));
  EXPECT_EQ(checked_out("version"), "9.2.0\n");
  EXPECT_FALSE(fs::exists(cache() / "source" / "untracked.c"));
  EXPECT_EQ(tree_.state(), before);
}

// A file that changed within the tick of its last write and kept its size is told by the index's
// own time alone (Documentation/technical/racy-git.txt). The change's time is set back for that.
TEST_F(SourceTest, SeesAnEditOfTheSameSizeRightAfterACommit) {
  tree_.git({"config", "core.trustctime", "false"});
  tree_.commit("io_uring/rsrc.c", rsrc_text(4));
  const fs::path file = tree_.folder() / "io_uring" / "rsrc.c";
  const auto tick = fs::last_write_time(file);
  tree_.write("io_uring/rsrc.c", rsrc_text(5));
  fs::last_write_time(file, tick);
  fs::last_write_time(tree_.folder() / ".git" / "index", tick);
  EXPECT_EQ(repository().resolve(request("worktree")).dirty, "1 tracked file changed");
}

TEST_F(SourceTest, IsTheCommitsTreeWhereNothingIsEdited) {
  const SourceRepository repository = this->repository();
  const Source edited = repository.resolve(request("worktree"));
  EXPECT_EQ(edited.tree, repository.resolve(request("HEAD")).tree);
  EXPECT_EQ(edited.dirty, "clean");
}

TEST_F(SourceTest, WorksFromALinkedWorktreeAndABareRepository) {
  const fs::path linked = tree_.scratch("linked");
  const fs::path bare = tree_.scratch("bare.git");
  tree_.git({"worktree", "add", "--quiet", "--detach", linked.native()});
  tree_.git({"clone", "--quiet", "--bare", ".", bare.native()});
  std::ofstream(linked / "version") << "9.3.0\n";
  const std::string before = tree_.state();
  EXPECT_EQ(repository(linked).resolve(request("worktree")).dirty, "1 tracked file changed");
  EXPECT_EQ(find_repository(linked, {}).cache_name(),
            find_repository(tree_.folder(), {}).cache_name());
  EXPECT_EQ(tree_.state(), before);
  fs::remove_all(cache());
  const SourceRepository of_bare = repository(bare);
  EXPECT_EQ(of_bare.resolve(request("main")).commit, tree_.git({"rev-parse", "HEAD"}));
  EXPECT_THAT(refusal([&] { of_bare.resolve(request("worktree")); }),
              HasSubstr("there is none; a bare repository has only commits"));
}

TEST_F(SourceTest, AppliesAPatchWithoutTouchingTheTree) {
  tree_.write("io_uring/rsrc.c", rsrc_text(7));
  const std::string patch = tree_.git({"diff"}) + "\n";
  tree_.git({"checkout", "--quiet", "."});
  const std::string before = tree_.state();
  const SourceRepository repository = this->repository();
  const Source source = repository.resolve(patched(patch));
  EXPECT_EQ(source.patch_sha256.size(), 64U);
  repository.check_out(source.tree);
  EXPECT_EQ(checked_out("io_uring/rsrc.c"), rsrc_text(7));
  EXPECT_EQ(tree_.state(), before);
}

TEST_F(SourceTest, NamesTheHunkThatDoesNotApply) {
  tree_.write("io_uring/rsrc.c", rsrc_text(7));
  const std::string patch = tree_.git({"diff"}) + "\n";
  tree_.git({"checkout", "--quiet", "."});
  tree_.commit("io_uring/rsrc.c", rsrc_text(8));
  EXPECT_THAT(refusal([&] { repository().resolve(patched(patch)); }),
              HasSubstr("does not apply to HEAD: hunk 1 of io_uring/rsrc.c (@@ -2,7 +2,7 @@"));
  EXPECT_THAT(refusal([&] { repository().resolve(patched("no patch\n")); }),
              HasSubstr("does not apply to HEAD: No valid patches in input"));
  BuildRequest absent = request("HEAD");
  absent.patch = "/nowhere.patch";
  EXPECT_THAT(refusal([&] { repository().resolve(absent); }),
              StartsWith("patch /nowhere.patch: no such file; give a file that"));
}

TEST_F(SourceTest, RefusesWhatGitDoesNotKnow) {
  for (const char* revision : {"v9.9", "", "--all", "HEAD~5", "HEAD:Makefile"}) {
    EXPECT_THAT(refusal([&] { repository().resolve(request(revision)); }),
                HasSubstr(": no revision '" + std::string(revision) + "'; give a commit"));
  }
  EXPECT_THAT(refusal([&] { find_repository("/nowhere", {}); }),
              StartsWith("tree /nowhere: no such folder; give a git checkout"));
  const fs::path plain = tree_.scratch("plain");
  fs::create_directories(plain);
  EXPECT_THAT(refusal([&] { find_repository(plain, {}); }), HasSubstr("not a git repository"));
}

TEST_F(SourceTest, RefusesATreeThatIsNoKernel) {
  tree_.git({"rm", "--quiet", "init/main.c"});
  tree_.git({"commit", "--quiet", "-m", "no kernel"});
  EXPECT_THAT(refusal([&] { repository().resolve(request("HEAD")); }),
              HasSubstr("HEAD is no Linux kernel: it has no init/main.c"));
}

TEST_F(SourceTest, RefusesAnUnmergedWorktree) {
  tree_.git({"checkout", "--quiet", "-b", "other"});
  tree_.commit("io_uring/rsrc.c", rsrc_text(2));
  tree_.git({"checkout", "--quiet", "main"});
  tree_.commit("io_uring/rsrc.c", rsrc_text(3));
  run_git({tree_.folder(), {}, {}, {}, {}}, {"merge", "other"}, {});
  EXPECT_THAT(refusal([&] { repository().resolve(request("worktree")); }),
              HasSubstr("io_uring/rsrc.c is not merged yet; resolve the conflict"));
}

// `git bisect run` and hooks set these; they must not lead anywhere.
TEST_F(SourceTest, IsNotLedElsewhereByTheCallersEnvironment) {
  const SmallTree other;
  const std::string other_before = other.state();
  ::setenv("GIT_DIR", (other.folder() / ".git").c_str(), 1);
  ::setenv("GIT_INDEX_FILE", (other.folder() / ".git" / "index").c_str(), 1);
  const std::string commit = tree_.commit("version", "9.4.0\n");
  const SourceRepository repository = this->repository();
  const Source source = repository.resolve(request("worktree"));
  repository.check_out(source.tree);
  ::unsetenv("GIT_DIR");
  ::unsetenv("GIT_INDEX_FILE");
  EXPECT_EQ(source.commit, commit);
  EXPECT_EQ(other.state(), other_before);
}

}  // namespace
}  // namespace msgring::tree
