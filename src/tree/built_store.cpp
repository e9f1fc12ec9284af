// SPDX-License-Identifier: MIT
#include "built_store.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "msgring/host/temporary_folder.hpp"
#include "msgring/host/whole_file.hpp"

namespace msgring::tree {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

std::string facts_text(const ImageFacts& facts) {
  return ordered_json{{"release", facts.release},
                      {"config_sha256", facts.config_sha256},
                      {"compiler", facts.compiler},
                      {"build_id", facts.build_id},
                      {"image_sha256", facts.image_sha256}}
             .dump(2) +
         "\n";
}

}  // namespace

std::optional<BuiltKernel> BuiltStore::find(const std::string& key) const {
  const fs::path folder = root_ / key;
  std::error_code ignored;
  if (!fs::is_regular_file(folder / "facts.json", ignored)) {
    return std::nullopt;
  }
  try {
    const auto json = ordered_json::parse(host::read_file(folder / "facts.json"));
    BuiltKernel built;
    built.kernel = {json.at("release").get<std::string>(), folder / "vmlinuz", folder / "config"};
    built.identity.config_sha256 = json.at("config_sha256").get<std::string>();
    built.identity.compiler = json.at("compiler").get<std::string>();
    built.identity.build_id = json.at("build_id").get<std::string>();
    built.identity.image_sha256 = json.at("image_sha256").get<std::string>();
    return built;
  } catch (const ordered_json::exception& error) {
    throw Error(ExitStatus::kEnvironment,
                fmt::format("{}: {}", (folder / "facts.json").native(), error.what()),
                "the cache is damaged: remove that folder, it is built again");
  }
}

BuiltKernel BuiltStore::add(const std::string& key, const FreshBuild& build) const {
  fs::create_directories(root_);
  {
    const host::TemporaryFolder fresh(".new", root_);
    fs::copy_file(build.image, fresh.path() / "vmlinuz");
    fs::copy_file(build.config, fresh.path() / "config");
    fs::copy_file(build.log, fresh.path() / "build.log");
    host::write_new_file(fresh.path() / "facts.json", facts_text(build.facts));
    fs::permissions(fresh.path(), fs::perms::owner_all | fs::perms::group_read |
                                      fs::perms::group_exec | fs::perms::others_read |
                                      fs::perms::others_exec);
    fs::rename(fresh.path(), root_ / key);
  }
  host::sync_folder(root_);
  return *find(key);
}

}  // namespace msgring::tree
