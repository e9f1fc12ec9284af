// SPDX-License-Identifier: MIT
// direct_open on the real kernel; the named file is removed with its folder.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>

#include "direct_shapes.hpp"
#include "workload/named_sentinel.hpp"

namespace msgring::workload {
namespace {

using testing_kernel::Shape;

class DirectOpenShape : public testing::TestWithParam<Shape> {};

TEST_P(DirectOpenShape, PassesAllChecksRoundAfterRound) {
  testing_kernel::expect_good_rounds("direct_open", GetParam());
}

INSTANTIATE_TEST_SUITE_P(Sizes, DirectOpenShape, testing::ValuesIn(testing_kernel::direct_shapes()),
                         [](const auto& shape) { return shape.param.name; });

TEST(DirectOpen, SaysWhereItsFileLives) {
  std::string why;
  const auto workload = testing_kernel::make_workload("direct_open", {}, why);
  if (!workload) {
    GTEST_SKIP() << why;
  }
  EXPECT_THAT(workload->facts(), testing::Contains(testing::Key("file_system")));
}

TEST(DirectOpen, RemovesItsFileAndFolder) {
  std::filesystem::path folder;
  {
    const NamedSentinel file;
    folder = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(file.folder()));
    EXPECT_TRUE(std::filesystem::exists(folder / file.name()));
  }
  EXPECT_FALSE(std::filesystem::exists(folder));
}

}  // namespace
}  // namespace msgring::workload
