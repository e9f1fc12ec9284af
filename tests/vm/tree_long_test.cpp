// SPDX-License-Identifier: MIT
// Real kernels from a real tree: MSGRING_LINUX_TREE names a git checkout of Linux 7.3.4, as
// scripts/fetch-linux makes one.
#include <gmock/gmock.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "aba_run.hpp"
#include "msgring/host/whole_file.hpp"
#include "msgring/tree/builder.hpp"
#include "vm_support.hpp"

namespace msgring::boot {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

constexpr const char* kPrefill = MSGRING_TEST_DATA "/tree/prefill.patch";

/// Sandwiches of kernels that are built first.
class TreeAba : public Aba {
 protected:
  void SetUp() override {
    const char* tree = ::getenv("MSGRING_LINUX_TREE");
    if (tree == nullptr) {
      GTEST_SKIP() << "set MSGRING_LINUX_TREE to a git checkout of Linux: scripts/fetch-linux";
    }
    tree_ = tree;
  }

  tree::BuiltKernel build(const std::filesystem::path& cache, const std::string& patch = {}) const {
    tree::BuilderSetup setup;
    setup.cache_root = cache;
    tree::BuildRequest request;
    request.tree = tree_;
    request.patch = patch;
    return tree::KernelBuilder(setup).build(request);
  }

  /// The first comparison of a run of HEAD against HEAD with the patch.
  json measure(const std::string& workload, const std::string& primary) {
    const host::ProgramResult result =
        run({"--tree", tree_, "--a", "HEAD", "--b", "HEAD", "--b-patch", kPrefill, "--explain",
             "--seeds", "1", "--primary", primary, "--", "--workload", workload});
    EXPECT_EQ(result.end.exit_code, 0) << result.output << result.errors;
    report_ = result.output;
    return json::parse(host::read_file(run_ / "report.json"))["comparisons"][0];
  }

  std::string tree_;
  std::string report_;
};

// The second build also meets the objects of another source in its way: it is an incremental one.
TEST_F(TreeAba, BuildsOneRevisionBitIdenticallyInTwoFolders) {
  const tree::BuiltKernel first = build(tree::default_cache_root());
  const host::TemporaryFolder other("msgring-another-cache-with-a-longer-name");
  build(other.path(), kPrefill);
  const tree::BuiltKernel second = build(other.path());
  EXPECT_FALSE(second.reused);
  EXPECT_EQ(first.identity.build_id, second.identity.build_id);
  EXPECT_EQ(first.identity.image_sha256, second.identity.image_sha256);
  EXPECT_EQ(first.identity.config_sha256, second.identity.config_sha256);
  EXPECT_EQ(first.kernel.release, second.kernel.release);
}

TEST_F(TreeAba, FindsAPatchFasterInTheFillAndSaysWhere) {
  const json comparison = measure("first_fill", "first_fill");
  EXPECT_EQ(comparison["verdict"], "faster");
  EXPECT_THAT(report_, HasSubstr("__kmalloc_noprof"));
}

TEST_F(TreeAba, FindsThePatchSlowerWhereTheTableIsRegistered) {
  EXPECT_EQ(measure("register_fill", "register_fill/register")["verdict"], "slower");
  EXPECT_THAT(report_, HasSubstr("__kmalloc_noprof"));
}

}  // namespace
}  // namespace msgring::boot
