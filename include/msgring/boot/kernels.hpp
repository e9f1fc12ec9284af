// SPDX-License-Identifier: MIT
// KernelCache: kernel images by release; KernelFetcher: how distribution kernels get into it.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace msgring::boot {

/// A bootable kernel.
struct Kernel {
  std::string release;           ///< as `uname -r` will say; empty for an image given by its path
  std::filesystem::path image;   ///< vmlinuz, bzImage or vmlinux
  std::filesystem::path config;  ///< empty when unknown
};

/// Orders releases as people do: 6.12.95 before 6.12.117, 7.1.3 before 7.1.3+deb13.
bool release_less(std::string_view left, std::string_view right);

/// Does `release` begin with the version `prefix`, whole numbers only? "6.1" fits "6.1.0-50-amd64",
/// not "6.12.95".
bool release_matches(std::string_view release, std::string_view prefix);

/// Is `release` "VERSION-flavour"? "6.1.0-50-cloud-amd64" is not of the flavour "amd64", and what
/// ends in "-dbg" or "-unsigned" is of none.
bool is_of_flavour(std::string_view release, std::string_view flavour);

/// A folder of kernels: `<root>/<release>/vmlinuz`, beside it `config` where it is known.
class KernelCache {
 public:
  /// `$XDG_CACHE_HOME/msgring/kernels`, else `~/.cache/msgring/kernels`.
  static std::filesystem::path default_root();

  explicit KernelCache(std::filesystem::path root = default_root()) : root_(std::move(root)) {}

  const std::filesystem::path& root() const noexcept { return root_; }

  /// What is there, oldest first; among flavours of one version the cloud flavour is last.
  std::vector<Kernel> list() const;

  std::optional<Kernel> newest(std::string_view prefix) const;

  /// `name` is a path to an image (it holds a '/', or is a file), else a version prefix, of which
  /// the newest is taken. Throws Error (kUsage) that says what is there and how to get more.
  Kernel resolve(std::string_view name) const;

  /// Adds a kernel, whole or not at all; one that is there already is kept. `origin` says where it
  /// came from. Throws std::system_error.
  Kernel add(const std::string& release, std::string_view image, std::string_view config,
             std::string_view origin) const;

 private:
  std::filesystem::path root_;
};

/// What a Debian kernel package holds that msgring needs; empty where the package has none.
struct PackagedKernel {
  std::string image;
  std::string config;
};

/// Unpacks the image and the config from a .deb file, nothing else. Throws Error (kInvalid).
PackagedKernel read_kernel_package(const std::filesystem::path& package);

/// Gets distribution kernels through the running system's own package mirror, with an apt root of
/// its own below the cache: nothing of the system's apt state is read or changed but its sources.
///
/// Packages are verified by apt against the distribution's signed indices.
class KernelFetcher {
 public:
  using Progress = std::function<void(std::string_view line)>;

  KernelFetcher(KernelCache cache, Progress progress, std::stop_token stop = {});

  /// Refreshes the private indices. Throws Error (kEnvironment) without a network, or on a system
  /// without apt, with what to put where by hand.
  void update();

  /// Releases that the mirror serves for `flavour` ("cloud-amd64"), oldest first.
  std::vector<std::string> available(std::string_view flavour) const;

  /// Fetches the newest release that fits `prefix`, unless the cache has it. Throws Error (kUsage)
  /// when the mirror serves none, Error (kEnvironment) when a download fails.
  Kernel fetch(std::string_view prefix, std::string_view flavour = default_flavour());

  /// The flavour whose drivers for guests are built in: "cloud-amd64" on x86-64.
  static std::string_view default_flavour();

 private:
  std::vector<std::string> apt(std::string_view program, std::vector<std::string> arguments) const;
  std::string run_apt(std::string_view program, std::vector<std::string> arguments) const;
  PackagedKernel download(const std::string& package) const;
  bool is_served(const std::string& package) const;
  Kernel fetch_package(const std::string& release, const std::string& package) const;

  KernelCache cache_;
  Progress progress_;
  std::stop_token stop_;
  std::filesystem::path apt_root_;
};

}  // namespace msgring::boot
