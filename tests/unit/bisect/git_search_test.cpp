// SPDX-License-Identifier: MIT
// `git bisect` over small real repositories, which stay as they were.
#include "msgring/bisect/git_search.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <fstream>
#include <map>

#include "msgring/bisect/find.hpp"
#include "msgring/error.hpp"
#include "msgring/host/process.hpp"
#include "msgring/host/temporary_folder.hpp"
#include "msgring/host/whole_file.hpp"

namespace msgring::bisect {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

/// A repository whose file `cost` says what each commit costs; 0 does not compile.
class Repository {
 public:
  Repository() { git({"init", "--quiet", "--initial-branch=main"}); }

  std::string git(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(),
                     {"git", "-C", path().native(), "-c", "user.name=N", "-c", "user.email=n@n.n"});
    const auto result = host::run_program(arguments, std::chrono::minutes(1));
    EXPECT_TRUE(result.end.ok()) << arguments[7] << ": " << result.errors;
    return result.output.substr(0, result.output.find_last_not_of('\n') + 1);
  }

  std::string commit(const std::string& cost) {
    std::ofstream(path() / "cost") << cost << "\n";
    std::ofstream(path() / "file", std::ios::app) << "another line\n";
    git({"add", "."});
    git({"commit", "--quiet", "-m", fmt::format("commit {}, costs {}", commits_.size(), cost)});
    commits_.push_back(git({"rev-parse", "HEAD"}));
    return commits_.back();
  }

  double cost_of(const std::string& commit) const {
    return std::stod(git({"show", commit + ":cost"}));
  }

  /// Everything that git knows of itself, but for objects: HEAD, refs, index, worktrees, logs.
  std::map<std::string, std::string> state() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(path() / ".git")) {
      if (entry.is_regular_file()) {
        files[entry.path()] = host::read_file(entry.path());
      }
    }
    return files;
  }

  const fs::path& path() const { return folder_.path(); }
  const std::vector<std::string>& commits() const { return commits_; }

 private:
  host::TemporaryFolder folder_{"msgring-git"};
  std::vector<std::string> commits_;
};

struct Killed {};

/// Reads a commit's cost out of the repository, as a build and a boot would.
class CommitMeasurer : public Measurer {
 public:
  CommitMeasurer(const Repository& repository, std::string bad)
      : repository_(repository), bad_(std::move(bad)) {}

  Measured references(const fs::path& /*folder*/) override { return measure(bad_); }
  Measured candidate(const std::string& candidate, const fs::path& /*folder*/,
                     const Figures& /*references*/) override {
    if (left_to_live-- == 0) {
      throw Killed();
    }
    measured.push_back(candidate);
    return measure(candidate);
  }

  std::vector<std::string> measured;
  int left_to_live = 1000;

 private:
  Measured measure(const std::string& commit) const {
    const double cost = repository_.cost_of(commit);
    if (cost == 0) {
      return {std::nullopt, "does not build: cost.c:1: error", ""};
    }
    const double delta = cost / 100 - 1;
    return {
        Figures{"first_fill, fill", "instructions/install", 100, cost, delta, {delta, delta}, ""},
        "", ""};
  }

  const Repository& repository_;
  std::string bad_;
};

class Silent : public FindObserver {
 public:
  void on_begin(unsigned /*number*/, const std::string& /*label*/, std::size_t /*left*/) override {}
  void on_answer(const Step& /*step*/) override {}
};

/// Eight commits after the first; the sixth brings the step, the fourth does not compile.
class GitBisect : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* cost : {"100", "100", "101", "100", "0", "100", "130", "130", "131"}) {
      repository_.commit(cost);
    }
    question_.tree = repository_.path();
    question_.good = repository_.commits().front();
    question_.bad = repository_.commits().back();
  }

  Found go(BisectFolder& folder, CommitMeasurer& measurer) {
    search_.emplace(repository_.path(), folder.path() / "repository.git", question_.good,
                    question_.bad, std::stop_token());
    Silent silent;
    return find(folder, *search_, measurer, silent, {});
  }

  std::string refusal(const std::string& good, const std::string& bad) const {
    try {
      const std::stop_token stop;
      const GitSearch search(repository_.path(), base_.path() / "r",
                             commit_of(repository_.path(), good, stop),
                             commit_of(repository_.path(), bad, stop), stop);
    } catch (const Error& error) {
      return describe(error);
    }
    return "accepted";
  }

  Repository repository_;
  host::TemporaryFolder base_{"msgring-bisect"};
  Question question_;
  std::optional<GitSearch> search_;
};

TEST_F(GitBisect, NamesTheCommitAndLeavesTheRepositoryAlone) {
  std::ofstream(repository_.path() / "file", std::ios::app) << "not committed\n";
  const auto before = repository_.state();
  BisectFolder folder = BisectFolder::begin(base_.path() / "b", question_);
  CommitMeasurer measurer(repository_, question_.bad);
  const Found found = go(folder, measurer);
  ASSERT_TRUE(found.is_one());
  EXPECT_EQ(found.first_bad(), repository_.commits()[6]);
  EXPECT_EQ(found.last_good, repository_.commits()[5]);
  EXPECT_EQ(search_->label(found.first_bad()),
            found.first_bad().substr(0, 12) + " commit 6, costs 130");
  EXPECT_THAT(search_->log(), HasSubstr("# first bad commit: [" + found.first_bad() + "]"));
  EXPECT_THAT(search_->log(), HasSubstr("git bisect skip " + repository_.commits()[4]));
  EXPECT_EQ(repository_.state(), before);
  EXPECT_THAT(host::read_file(repository_.path() / "file"), HasSubstr("not committed"));
}

TEST_F(GitBisect, GoesOnAfterAKillAtAnyStepAndMeasuresNothingTwice) {
  std::vector<std::string> undisturbed;
  for (int lives = 1000; lives >= 0; lives = lives > 4 ? 3 : lives - 1) {
    const fs::path path = base_.path() / fmt::format("b{}", lives);
    CommitMeasurer first(repository_, question_.bad);
    first.left_to_live = lives;
    CommitMeasurer second(repository_, question_.bad);
    Found found;
    try {
      BisectFolder folder = BisectFolder::begin(path, question_);
      found = go(folder, first);
      undisturbed = first.measured;
    } catch (const Killed&) {
      // The state of git's own search is what a kill may damage most.
      fs::remove(path / "repository.git" / "BISECT_LOG");
      BisectFolder folder = BisectFolder::resume(path);
      found = go(folder, second);
    }
    EXPECT_EQ(found.first_bad(), repository_.commits()[6]);
    std::vector<std::string> all = first.measured;
    all.insert(all.end(), second.measured.begin(), second.measured.end());
    EXPECT_EQ(all, undisturbed) << "killed after " << lives;
  }
}

TEST_F(GitBisect, NamesAllSuspectsWhereSkipsHideTheCommit) {
  Repository repository;
  for (const char* cost : {"100", "100", "0", "0", "130"}) {
    repository.commit(cost);
  }
  question_.good = repository.commits().front();
  question_.bad = repository.commits().back();
  BisectFolder folder = BisectFolder::begin(base_.path() / "b", question_);
  CommitMeasurer measurer(repository, question_.bad);
  Silent silent;
  GitSearch search(repository.path(), base_.path() / "r", question_.good, question_.bad, {});
  const Found found = find(folder, search, measurer, silent, {});
  EXPECT_THAT(found.suspects, ElementsAre(repository.commits()[2], repository.commits()[3],
                                          repository.commits()[4]));
  EXPECT_EQ(found.last_good, repository.commits()[1]);
}

TEST_F(GitBisect, SearchesALinkedWorktreeToo) {
  const fs::path linked = base_.path() / "linked";
  repository_.git({"worktree", "add", "--quiet", "--detach", linked.native()});
  const GitSearch search(linked, base_.path() / "r", question_.good, question_.bad, {});
  EXPECT_TRUE(search.next().has_value());
  EXPECT_EQ(search.steps_left(), 2U);  // seven commits between: git says "roughly 2 steps"
}

TEST_F(GitBisect, RefusesEndsBetweenWhichNothingLies) {
  EXPECT_THAT(refusal("main", "HEAD"), HasSubstr("good and bad are one commit"));
  EXPECT_THAT(refusal("main", "main~3"), HasSubstr("good and bad are swapped"));
  EXPECT_THAT(refusal("v9.9", "main"), HasSubstr("has no commit v9.9"));
  EXPECT_THAT(refusal("--all", "main"), HasSubstr("has no commit --all"));
  EXPECT_THROW(commit_of(base_.path(), "HEAD", {}), Error);
  EXPECT_THROW(commit_of(base_.path() / "nowhere", "HEAD", {}), Error);
}

}  // namespace
}  // namespace msgring::bisect
