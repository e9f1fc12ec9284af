// SPDX-License-Identifier: MIT
// Reports compared with files that a person has read and approved.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace msgring::testing_reports {

/// Succeeds if `text` is tests/data/golden/<name>. Otherwise writes it to <name>.got in the build
/// folder, so that it can be read, and copied over the golden file if it is right.
inline testing::AssertionResult is_golden(const std::string& text, const std::string& name) {
  std::ifstream file(std::filesystem::path(MSGRING_TEST_DATA) / "golden" / name);
  std::ostringstream golden;
  golden << file.rdbuf();
  if (golden.str() == text) {
    return testing::AssertionSuccess();
  }
  const auto got = std::filesystem::path(MSGRING_BUILD_DIR) / "tests" / (name + ".got");
  std::ofstream(got) << text;
  return testing::AssertionFailure()
         << "differs from tests/data/golden/" << name << "; compare it with " << got << "\n"
         << text;
}

}  // namespace msgring::testing_reports
