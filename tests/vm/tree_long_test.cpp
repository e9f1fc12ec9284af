// SPDX-License-Identifier: MIT
// Real kernels from a real tree: the one that MSGRING_LINUX_TREE names or scripts/fetch-linux made.
#include <gmock/gmock.h>

#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "aba_run.hpp"
#include "msgring/boot/run.hpp"
#include "msgring/host/whole_file.hpp"
#include "msgring/tree/builder.hpp"
#include "vm_support.hpp"

namespace msgring::boot {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::minutes;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kPrefill = MSGRING_TEST_DATA "/tree/prefill.patch";
/// A whole kernel on a machine that has other things to do.
constexpr minutes kBuild{90};

/// Kernels of a tree, in the user's own cache, and of a repository on it, in one of the tests' own.
class Tree : public Aba {
 protected:
  void SetUp() override {
    const fs::path cache = tree::default_cache_root().parent_path();
    const char* named = ::getenv("MSGRING_LINUX_TREE");
    tree_ = named != nullptr ? named : (cache / "linux").native();
    if (!fs::is_directory(tree_)) {
      GTEST_SKIP() << tree_ << ": no Linux tree; scripts/fetch-linux makes one, or set "
                   << "MSGRING_LINUX_TREE";
    }
    own_cache_ = cache / "long-tests";
  }

  /// Ten commits on BASE: tests/vm/make-series.
  std::string make_series() const {
    std::string repository = own_cache_ / "series.git";
    const host::ProgramResult made = host::run_program(
        {MSGRING_SOURCE_DIR "/tests/vm/make-series", tree_, repository}, minutes(10));
    EXPECT_TRUE(made.end.ok()) << made.errors;
    return repository;
  }

  /// What of a repository may not change: its worktrees, refs and files that git status knows.
  static std::string state_of(const std::string& repository) {
    std::string state;
    for (const char* words : {"worktree list", "for-each-ref", "status --porcelain"}) {
      std::vector<std::string> line = {"git", "-C", repository};
      std::istringstream stream(words);
      for (std::string word; stream >> word;) {
        line.push_back(word);
      }
      state += host::run_program(line, minutes(5)).output;
    }
    return state;
  }

  static tree::BuiltKernel build(const fs::path& cache, const std::string& repository,
                                 const std::string& patch = {}) {
    tree::BuilderSetup setup;
    setup.cache_root = cache;
    tree::BuildRequest request;
    request.tree = repository;
    request.revision = "BASE";
    request.patch = patch;
    return tree::KernelBuilder(setup).build(request);
  }

  /// Builds also what is there from an earlier run.
  static tree::BuiltKernel build_anew(const fs::path& cache, const std::string& repository,
                                      const std::string& patch = {}) {
    tree::BuiltKernel built = build(cache, repository, patch);
    if (!built.reused) {
      return built;
    }
    fs::remove_all(built.kernel.image.parent_path());
    return build(cache, repository, patch);
  }

  host::ProgramResult run_long(std::vector<std::string> more) const {
    return host::run_program(command(std::move(more)), kBuild);
  }

  /// BASE against BASE with the patch, one seed.
  std::vector<std::string> patched(std::vector<std::string> more) const {
    std::vector<std::string> words = {"--tree", tree_,       "--a",    "BASE",    "--b",
                                      "BASE",   "--b-patch", kPrefill, "--seeds", "1"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  /// The first comparison of a run with reasons.
  json measure(const std::string& workload, const std::string& primary) {
    const host::ProgramResult result =
        run_long(patched({"--explain", "--primary", primary, "--", "--workload", workload}));
    EXPECT_EQ(result.end.exit_code, 0) << result.output << result.errors;
    report_ = result.output;
    return json::parse(host::read_file(run_ / "report.json"))["comparisons"][0];
  }

  std::string tree_;
  fs::path own_cache_;
  std::string report_;
};

// Another path of the source, another of the objects, and the objects of another source in the way.
TEST_F(Tree, BuildsOneRevisionBitIdenticallyInTwoFolders) {
  const tree::BuiltKernel first = build(tree::default_cache_root(), tree_);
  const fs::path cache = own_cache_ / "msgring" / "trees";
  const std::string series = make_series();
  build_anew(cache, series, kPrefill);
  const tree::BuiltKernel second = build_anew(cache, series);
  EXPECT_FALSE(second.reused);
  EXPECT_NE(first.kernel.image, second.kernel.image);
  EXPECT_EQ(first.identity.image_sha256, second.identity.image_sha256);
  EXPECT_EQ(first.identity.build_id, second.identity.build_id);
  EXPECT_EQ(first.identity.config_sha256, second.identity.config_sha256);
  EXPECT_EQ(first.kernel.release, second.kernel.release);
}

TEST_F(Tree, FindsAPatchFasterInTheFillAndSaysWhere) {
  const std::string before = state_of(tree_);
  EXPECT_EQ(measure("first_fill", "first_fill")["verdict"], "faster");
  EXPECT_THAT(report_, HasSubstr("__kmalloc_noprof"));
  EXPECT_EQ(state_of(tree_), before);
}

TEST_F(Tree, FindsThePatchSlowerWhereTheTableIsRegistered) {
  EXPECT_EQ(measure("register_fill", "register_fill/register")["verdict"], "slower");
  EXPECT_THAT(report_, HasSubstr("__kmalloc_noprof"));
}

TEST_F(Tree, GoesOnWithTheSameKernelsAfterAKill) {
  const auto end = start_until(1, patched({"--jobs", "1"}), SIGKILL);
  ASSERT_TRUE(end.has_value());
  const host::ProgramResult result = run_long({"--resume"});
  EXPECT_EQ(result.end.exit_code, 0) << result.output << result.errors;
  EXPECT_THAT(result.errors, Not(HasSubstr("building")));
  EXPECT_THAT(result.output,
              AllOf(HasSubstr("faster: B against A"), HasSubstr("boot.patch_sha256: none in A")));
  EXPECT_EQ(check().end.exit_code, 0);
}

TEST_F(Tree, NamesEveryOptionThatDiffersBeforeTheVerdict) {
  const host::ProgramResult result =
      run_long({"--tree", tree_, "--a", "BASE", "--b", "BASE", "--b-config", "CONFIG_MEMCG=n",
                "--seeds", "1", "--", "--rounds", "3"});
  EXPECT_EQ(result.end.exit_code, 0) << result.output << result.errors;
  // Asked for, and what olddefconfig made of it.
  EXPECT_THAT(result.errors, HasSubstr("options of B that differ from A's: "));
  EXPECT_THAT(result.errors, HasSubstr("CONFIG_MEMCG y -> n"));
  EXPECT_THAT(result.errors, HasSubstr("CONFIG_PAGE_COUNTER y -> n"));
  const std::size_t options = result.output.find("CONFIG_PAGE_COUNTER y -> n");
  EXPECT_LT(options, result.output.find("against A"));
}

TEST_F(Tree, BisectsToTheCommitAlsoAfterAKill) {
  const std::string series = make_series();
  const std::string before = state_of(series);
  const fs::path folder = base_.path() / "bisect";
  const auto bisect = [&](std::vector<std::string> more) {
    const std::string program = MSGRING_BUILD_DIR "/msgring";
    std::vector<std::string> words = {"env",   "XDG_CACHE_HOME=" + own_cache_.native(),
                                      program, "bisect",
                                      "--out", folder.native()};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  {
    host::ChildProcess child = host::ChildProcess::start(
        bisect({"--tree", series, "--good", "BASE", "--bad", "series", "--seeds", "1", "--unit",
                "instructions", "--", "--rounds", "3", "--warmup", "1"}));
    while (!fs::exists(folder / "answers" / "01.json") && !child.wait(milliseconds(50))) {
    }
    ::kill(child.pid(), SIGKILL);
    child.wait(milliseconds(10'000));
  }
  ASSERT_TRUE(fs::exists(folder / "answers" / "01.json"));
  const auto written = fs::last_write_time(folder / "answers" / "01.json");

  const host::ProgramResult result = host::run_program(bisect({"--resume"}), kBuild);
  ASSERT_EQ(result.end.exit_code, 0) << result.output << result.errors;
  EXPECT_EQ(fs::last_write_time(folder / "answers" / "01.json"), written);
  EXPECT_THAT(result.output,
              ContainsRegex("First bad: [0-9a-f]+ io_uring/rsrc: look for the remains"));
  EXPECT_THAT(result.output,
              ContainsRegex("Last good: [0-9a-f]+ io_uring/msg_ring: add the helper"));
  EXPECT_THAT(result.output, HasSubstr("does not build: "));
  EXPECT_THAT(result.output, HasSubstr("io_msg_forget_file"));
  EXPECT_THAT(result.output, HasSubstr("slower: B against A"));
  EXPECT_THAT(host::read_file(folder / "bisect.log"), HasSubstr("git bisect skip "));
  EXPECT_THAT(host::read_file(folder / "final" / "mail.txt"),
              ContainsRegex("#regzbot introduced: [0-9a-f]+\n"));
  EXPECT_FALSE(fs::is_empty(folder / "build-logs"));
  EXPECT_EQ(state_of(series), before);
}

TEST_F(Tree, LeavesEverythingAsItWasOnCtrlC) {
  const std::string before = state_of(tree_);
  std::vector<std::string> more = patched({"--b-config", "CONFIG_SIGNALFD=n"});
  host::ChildProcess child = start(more);
  while (errors().find(" steps, ") == std::string::npos && !child.wait(milliseconds(100))) {
  }
  ::kill(child.pid(), SIGINT);
  const auto end = child.wait(milliseconds(30'000));
  ASSERT_TRUE(end.has_value()) << "does not end on SIGINT";
  EXPECT_EQ(end->exit_code, 130) << errors();
  EXPECT_THAT(errors(), ContainsRegex("error: building BASE of [^\n]*: interrupted; [^\n]*\n$"));
  EXPECT_EQ(state_of(tree_), before);
}

}  // namespace
}  // namespace msgring::boot
