// SPDX-License-Identifier: MIT
// Fake machines: the hand-made ones of tests/data/host, and small ones that a test writes itself.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "msgring/host/root.hpp"
#include "msgring/host/temporary_folder.hpp"

namespace msgring::host {

inline Root fake_machine(std::string_view name) {
  return Root(std::filesystem::path(MSGRING_TEST_DATA) / "host" / name);
}

/// A tree of a test's own, optionally a copy of a fake machine that the test then changes.
class FakeTree {
 public:
  FakeTree() = default;
  explicit FakeTree(std::string_view machine) {
    std::filesystem::copy(fake_machine(machine).path("/"), folder_.path(),
                          std::filesystem::copy_options::recursive);
  }

  FakeTree& put(std::string_view path, std::string_view text) {
    const std::filesystem::path file = root().path(path);
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return *this;
  }

  FakeTree& remove(std::string_view path) {
    std::filesystem::remove_all(root().path(path));
    return *this;
  }

  /// Makes `path` something that exists and cannot be read, for root as well: a folder.
  FakeTree& make_unreadable(std::string_view path) {
    remove(path);
    std::filesystem::create_directories(root().path(path));
    return *this;
  }

  Root root() const { return Root(folder_.path()); }

 private:
  TemporaryFolder folder_{"msgring-test"};
};

}  // namespace msgring::host
