// SPDX-License-Identifier: MIT
// The cache is only folders: what a person puts there by hand is as good as what was fetched.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "msgring/boot/kernels.hpp"
#include "msgring/error.hpp"
#include "msgring/host/temporary_folder.hpp"
#include "msgring/host/whole_file.hpp"

namespace msgring::boot {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = ::getenv(name);
  return value != nullptr ? value : "";
}

std::optional<Kernel> kernel_in(const fs::path& folder) {
  Kernel kernel{folder.filename().native(), folder / "vmlinuz", folder / "config"};
  std::error_code ignored;
  if (kernel.release.front() == '.' || !fs::is_regular_file(kernel.image, ignored)) {
    return std::nullopt;
  }
  if (!fs::is_regular_file(kernel.config, ignored)) {
    kernel.config.clear();
  }
  return kernel;
}

std::string names_of(const std::vector<Kernel>& kernels) {
  std::string names;
  for (const Kernel& kernel : kernels) {
    names += (names.empty() ? "" : ", ") + kernel.release;
  }
  return names.empty() ? "nothing" : names;
}

Kernel kernel_at(const fs::path& image) {
  std::error_code error;
  if (!fs::is_regular_file(image, error)) {
    throw Error(ExitStatus::kUsage, fmt::format("kernel {}: no such file", image.native()),
                "give the path of a vmlinuz or bzImage, or a version such as 6.12");
  }
  return {{}, fs::absolute(image), {}};
}

}  // namespace

fs::path KernelCache::default_root() {
  const std::string cache = environment("XDG_CACHE_HOME");
  const fs::path base = cache.empty() ? fs::path(environment("HOME")) / ".cache" : fs::path(cache);
  return base / "msgring" / "kernels";
}

std::vector<Kernel> KernelCache::list() const {
  std::vector<Kernel> kernels;
  std::error_code absent;
  for (const fs::directory_entry& entry : fs::directory_iterator(root_, absent)) {
    if (auto kernel = kernel_in(entry.path())) {
      kernels.push_back(std::move(*kernel));
    }
  }
  std::sort(kernels.begin(), kernels.end(), [](const Kernel& left, const Kernel& right) {
    return release_less(left.release, right.release);
  });
  return kernels;
}

std::optional<Kernel> KernelCache::newest(std::string_view prefix) const {
  const std::vector<Kernel> kernels = list();
  const auto found = std::find_if(kernels.rbegin(), kernels.rend(), [&](const Kernel& kernel) {
    return release_matches(kernel.release, prefix);
  });
  return found == kernels.rend() ? std::nullopt : std::optional<Kernel>(*found);
}

Kernel KernelCache::resolve(std::string_view name) const {
  if (name.find('/') != std::string_view::npos) {
    return kernel_at(name);
  }
  if (auto kernel = newest(name)) {
    return *kernel;
  }
  std::error_code ignored;
  if (fs::is_regular_file(fs::path(name), ignored)) {
    return kernel_at(name);
  }
  throw Error(
      ExitStatus::kUsage,
      fmt::format("kernel {}: not in {}, which has {}", name, root_.native(), names_of(list())),
      fmt::format("run `msgring kernels fetch {}`, or put the image at {}", name,
                  (root_ / std::string(name) / "vmlinuz").native()));
}

Kernel KernelCache::add(const std::string& release, std::string_view image, std::string_view config,
                        std::string_view origin) const {
  const fs::path place = root_ / release;
  fs::create_directories(root_);
  {
    const host::TemporaryFolder fresh(".new", root_);
    host::write_new_file(fresh.path() / "vmlinuz", image);
    if (!config.empty()) {
      host::write_new_file(fresh.path() / "config", config);
    }
    host::write_new_file(fresh.path() / "origin", origin);
    fs::permissions(fresh.path(), fs::perms::owner_all | fs::perms::group_read |
                                      fs::perms::group_exec | fs::perms::others_read |
                                      fs::perms::others_exec);
    // rename(2) onto a folder that is not empty fails: then another fetch was first, which is fine.
    std::error_code error;
    fs::rename(fresh.path(), place, error);
    if (error && error.value() != EEXIST && error.value() != ENOTEMPTY) {
      throw_system_error(error.value(), "rename", place.native());
    }
  }
  host::sync_folder(root_);
  return *kernel_in(place);
}

}  // namespace msgring::boot
