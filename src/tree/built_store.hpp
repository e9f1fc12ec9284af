// SPDX-License-Identifier: MIT
// What was built, by what it was built from.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "msgring/tree/builder.hpp"

namespace msgring::tree {

/// What is known of an image from the image itself and the build that made it.
struct ImageFacts {
  std::string release;
  std::string config_sha256;
  std::string compiler;
  std::string build_id;
  std::string image_sha256;
};

/// A finished build, still in its object folder.
struct FreshBuild {
  std::filesystem::path image;
  std::filesystem::path config;
  std::filesystem::path log;
  ImageFacts facts;
};

/// `ROOT/KEY/`: vmlinuz, config, build.log, facts.json; whole or absent, never changed.
class BuiltStore {
 public:
  explicit BuiltStore(std::filesystem::path root) : root_(std::move(root)) {}

  /// The build of that key, with the facts that belong to its image.
  std::optional<BuiltKernel> find(const std::string& key) const;

  /// Throws std::system_error.
  BuiltKernel add(const std::string& key, const FreshBuild& build) const;

 private:
  std::filesystem::path root_;
};

}  // namespace msgring::tree
