// SPDX-License-Identifier: MIT
// A whole build, on a tree that needs a second: what is built again, what is not, what goes wrong.
#include "msgring/tree/builder.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <thread>

#include "build_lock.hpp"
#include "msgring/host/sha256.hpp"
#include "msgring/host/whole_file.hpp"
#include "small_tree.hpp"

namespace msgring::tree {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class BuilderTest : public ::testing::Test {
 protected:
  BuiltKernel build(const BuildRequest& request, const std::string& cache = "cache",
                    const std::stop_token& stop = {}) {
    BuilderSetup setup;
    setup.cache_root = tree_.scratch(cache);
    setup.progress = [this](std::string_view line) { lines_.emplace_back(line); };
    setup.stop = stop;
    return KernelBuilder(setup).build(request);
  }

  BuildRequest request(const std::string& revision = "HEAD") const {
    BuildRequest request;
    request.tree = tree_.folder();
    request.revision = revision;
    return request;
  }

  SmallTree tree_;
  std::vector<std::string> lines_;
};

std::string failure(ExitStatus status, const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), status);
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return describe(error);
  }
  return "nothing was thrown";
}

TEST_F(BuilderTest, SaysWhatItBuilt) {
  const std::string before = tree_.state();
  const BuiltKernel built = build(request());
  EXPECT_EQ(tree_.state(), before);
  EXPECT_FALSE(built.reused);
  EXPECT_THAT(built.kernel.release, StartsWith("9.1.0-msgring-"));
  EXPECT_EQ(built.identity.image_sha256, host::sha256_of_file(built.kernel.image));
  EXPECT_EQ(built.identity.commit, tree_.git({"rev-parse", "HEAD"}));
  EXPECT_EQ(built.identity.source, tree_.git({"rev-parse", "HEAD^{tree}"}));
  EXPECT_EQ(built.identity.subject, "a kernel of few lines");
  EXPECT_EQ(built.identity.build_id.size(), 40U);
  EXPECT_THAT(built.identity.compiler, StartsWith("gcc"));
  EXPECT_EQ(identity_facts(built.identity).at("boot.revision"), "HEAD");
}

TEST_F(BuilderTest, BuildsNothingTwice) {
  const BuiltKernel first = build(request());
  tree_.git({"commit", "--quiet", "--allow-empty", "-m", "the same tree"});
  const BuiltKernel again = build(request());
  EXPECT_TRUE(again.reused);
  EXPECT_EQ(again.kernel.image, first.kernel.image);
  EXPECT_EQ(again.identity.subject, "the same tree");
  EXPECT_TRUE(build(request("worktree")).reused);
}

TEST_F(BuilderTest, BuildsAgainWhateverTheImageDependsOn) {
  const BuiltKernel first = build(request());
  BuildRequest changed = request();
  changed.config_changes = {"CONFIG_MEMCG=n"};
  const BuiltKernel other_config = build(changed);
  EXPECT_FALSE(other_config.reused);
  EXPECT_NE(other_config.identity.config_sha256, first.identity.config_sha256);
  EXPECT_THAT(config_differences(host::read_file(first.kernel.config),
                                 host::read_file(other_config.kernel.config)),
              ::testing::ElementsAre(ConfigDifference{"CONFIG_MEMCG", "y", "n"}));
  tree_.write("io_uring/rsrc.c", rsrc_text(2));
  const BuiltKernel other_source = build(request("worktree"));
  EXPECT_FALSE(other_source.reused);
  EXPECT_NE(other_source.identity.build_id, first.identity.build_id);
  EXPECT_TRUE(build(request()).reused);
}

TEST_F(BuilderTest, AsksKconfigAgainOnlyWhereTheAnswerMayDiffer) {
  const auto asked = [this](const BuildRequest& request) {
    lines_.clear();
    EXPECT_FALSE(build(request).reused);
    return std::count_if(lines_.begin(), lines_.end(), [](const std::string& line) {
      return line.rfind("configuring ", 0) == 0;
    });
  };
  const BuiltKernel first = build(request());
  tree_.commit("io_uring/rsrc.c", rsrc_text(2));
  EXPECT_EQ(asked(request()), 0);
  tree_.commit("io_uring/Kconfig", "# an option of its own\n");
  EXPECT_EQ(asked(request()), 1);
  tree_.commit("scripts/cc-version.sh", "# another compiler\n");
  EXPECT_EQ(asked(request()), 1);
  // Somebody was at the configuration that stands there.
  const fs::path objects = first.kernel.image.parent_path().parent_path().parent_path() / "objects";
  std::ofstream(fs::directory_iterator(objects)->path() / ".config", std::ios::app)
      << "CONFIG_STRANGE=y\n";
  tree_.commit("io_uring/rsrc.c", rsrc_text(3));
  EXPECT_EQ(asked(request()), 1);
  EXPECT_EQ(build(request()).identity.config_sha256, first.identity.config_sha256);
}

TEST_F(BuilderTest, LeavesAnUnchangedConfigurationItsTime) {
  const BuiltKernel first = build(request());
  const fs::path objects = first.kernel.image.parent_path().parent_path().parent_path() / "objects";
  const fs::path config = fs::directory_iterator(objects)->path() / ".config";
  const auto written = fs::last_write_time(config);
  tree_.commit("io_uring/Kconfig", "# an option that is off\n");
  EXPECT_FALSE(build(request()).reused);
  EXPECT_EQ(fs::last_write_time(config), written);
}

TEST_F(BuilderTest, RefusesACacheThatMakeCannotWorkIn) {
  for (const char* name : {"a cache", "a:cache"}) {
    EXPECT_THAT(failure(ExitStatus::kUsage, [&] { build(request(), name); }),
                HasSubstr("takes no folder with a space or a colon in it"));
    EXPECT_FALSE(fs::exists(tree_.scratch(name)));
  }
}

TEST_F(BuilderTest, MakesTheSameImageInAnotherFolder) {
  const BuiltKernel one = build(request(), "cache");
  const BuiltKernel other = build(request(), "another-cache-with-a-longer-name");
  EXPECT_FALSE(other.reused);
  EXPECT_NE(one.kernel.image, other.kernel.image);
  EXPECT_EQ(one.identity.image_sha256, other.identity.image_sha256);
}

TEST_F(BuilderTest, GivesReleasesOfOneLengthToAllVersions) {
  const BuiltKernel one = build(request());
  tree_.commit("version", "10.12.0-rc1\n");
  const BuiltKernel other = build(request());
  EXPECT_EQ(one.kernel.release.size(), 40U);
  EXPECT_EQ(other.kernel.release.size(), 40U);
  EXPECT_NE(one.kernel.release.substr(20), other.kernel.release.substr(20));
}

TEST_F(BuilderTest, TakesAUsersConfigurationInsteadOfItsOwn) {
  BuildRequest with_config = request();
  with_config.config = build(request()).kernel.config;
  std::ofstream(tree_.scratch("user.config"))
      << host::read_file(with_config.config) << "CONFIG_OF_THE_USER=y\n";
  with_config.config = tree_.scratch("user.config");
  EXPECT_THAT(host::read_file(build(with_config).kernel.config), HasSubstr("CONFIG_OF_THE_USER=y"));
  with_config.config = "/nowhere.config";
  EXPECT_THAT(failure(ExitStatus::kUsage, [&] { build(with_config); }),
              StartsWith("configuration /nowhere.config: no such file"));
}

TEST_F(BuilderTest, ShowsTheCompilersFirstErrorAndKeepsTheLog) {
  tree_.commit("io_uring/rsrc.c", "int f(void) { return nod; }\n");
  try {
    build(request());
    FAIL() << "it was built";
  } catch (const BuildFailure& failure) {
    EXPECT_THAT(failure.first_error(), HasSubstr("error: 'nod' undeclared"));
    EXPECT_THAT(failure.what(), StartsWith("HEAD ("));
    EXPECT_THAT(host::read_file(failure.log()), HasSubstr("'nod' undeclared"));
  }
  // The next revision is none the worse for it.
  tree_.commit("io_uring/rsrc.c", rsrc_text(2));
  EXPECT_FALSE(build(request()).reused);
}

TEST_F(BuilderTest, RefusesAConfigurationThatLosesIoUringOrAChange) {
  const std::string before = tree_.state();
  BuildRequest without = request();
  without.config_changes = {"CONFIG_IO_URING=n"};
  EXPECT_THAT(failure(ExitStatus::kUsage, [&] { build(without); }),
              HasSubstr("olddefconfig leaves CONFIG_IO_URING=n"));
  without.config_changes = {"CONFIG_REFUSED=y"};
  EXPECT_THAT(failure(ExitStatus::kUsage, [&] { build(without); }),
              HasSubstr("CONFIG_REFUSED=y was asked for, olddefconfig leaves CONFIG_REFUSED=n"));
  EXPECT_EQ(tree_.state(), before);
}

TEST_F(BuilderTest, ChecksARequestWithoutBuilding) {
  BuilderSetup setup;
  setup.cache_root = tree_.scratch("cache");
  KernelBuilder builder(setup);
  builder.check(request());
  EXPECT_THAT(failure(ExitStatus::kUsage, [&] { builder.check(request("nothing")); }),
              HasSubstr("no revision 'nothing'"));
  BuildRequest wrong = request();
  wrong.patch = "/nowhere.patch";
  EXPECT_THAT(failure(ExitStatus::kUsage, [&] { builder.check(wrong); }),
              HasSubstr("patch /nowhere.patch: no such file"));
  wrong = request();
  wrong.config_changes = {"MEMCG=n"};
  EXPECT_THAT(failure(ExitStatus::kUsage, [&] { builder.check(wrong); }),
              HasSubstr("'MEMCG=n' sets no option"));
  wrong.config_changes = {"CONFIG_MEMCG=n", "CONFIG_IO_URING=n"};
  EXPECT_THAT(failure(ExitStatus::kUsage, [&] { builder.check(wrong); }),
              HasSubstr("CONFIG_IO_URING=n was asked for, and a measured guest needs "
                        "CONFIG_IO_URING=y"));
  EXPECT_FALSE(build(request()).reused);
}

TEST_F(BuilderTest, SaysThatTheDiskIsFull) {
  tree_.commit("full", "");
  EXPECT_THAT(failure(ExitStatus::kEnvironment, [&] { build(request()); }),
              HasSubstr("the disk is full ("));
}

TEST_F(BuilderTest, EndsAtOnceWhenStoppedAndGoesOnAfterwards) {
  tree_.commit("slow", "");
  const std::string before = tree_.state();
  std::stop_source source;
  const std::jthread stopper([&] {
    while (!fs::exists(tree_.scratch("cache"))) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    std::this_thread::sleep_for(std::chrono::seconds(1));
    source.request_stop();
  });
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(
      failure(ExitStatus::kInterrupted, [&] { build(request(), "cache", source.get_token()); }),
      StartsWith("building HEAD of " + tree_.folder().native() + ": interrupted"));
  EXPECT_EQ(tree_.state(), before);
  // What the stopped build had started is gone too: it would hold the lock for a minute.
  EXPECT_FALSE(build(request("HEAD~1")).reused);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(50));
}

// In git, which has a name of its own for everything.
TEST_F(BuilderTest, SaysWhatWasInterruptedInEveryPhase) {
  std::stop_source source;
  source.request_stop();
  EXPECT_THAT(
      failure(ExitStatus::kInterrupted, [&] { build(request(), "cache", source.get_token()); }),
      StartsWith("building HEAD of " + tree_.folder().native() + ": interrupted"));
}

TEST_F(BuilderTest, WaitsForAnotherBuildAndSaysSo) {
  const BuiltKernel first = build(request());
  const fs::path folder = first.kernel.image.parent_path().parent_path().parent_path();
  std::jthread other;
  {
    auto held = std::make_shared<BuildLock>(
        folder, [](std::string_view) {}, std::stop_token());
    other = std::jthread([held = std::move(held)]() mutable {
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
      held.reset();
    });
  }
  build(request());
  EXPECT_THAT(lines_, Contains(StartsWith("waiting: another build works in ")));
}

TEST_F(BuilderTest, NamesEveryToolThatIsMissing) {
  const char* const set = ::getenv("PATH");
  const std::string path = set == nullptr ? "" : set;
  ::setenv("PATH", tree_.scratch("nothing").c_str(), 1);
  const std::string text = failure(ExitStatus::kEnvironment, [&] { build(request()); });
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(text,
            "building a kernel needs git, make, gcc, ld, flex, bison, bc, perl, which are not "
            "installed; apt-get install git make gcc binutils flex bison bc perl, or "
            "scripts/install-deps tree");
}

}  // namespace
}  // namespace msgring::tree
