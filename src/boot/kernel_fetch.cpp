// SPDX-License-Identifier: MIT
// Distribution kernels through apt, with every folder that apt writes below our own cache.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <sstream>
#include <system_error>

#include "apt_sources.hpp"
#include "msgring/boot/kernels.hpp"
#include "msgring/error.hpp"
#include "msgring/host/process.hpp"
#include "msgring/host/temporary_folder.hpp"
#include "msgring/host/whole_file.hpp"

namespace msgring::boot {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes kAptDeadline{10};
/// From Linux 7.1 or so on, Debian splits a kernel: the image is in linux-binary-*, its config in
/// linux-base-*; before that, both are in linux-image-*.
constexpr std::string_view kSplitPrefix = "linux-binary-";
constexpr std::string_view kBasePrefix = "linux-base-";
constexpr std::string_view kWholePrefix = "linux-image-";

std::string by_hand(const KernelCache& cache) {
  return fmt::format(
      "fetch it where there is a network, or put an image at {}/RELEASE/vmlinuz and, if you have "
      "it, its configuration beside it as `config`",
      cache.root().native());
}

fs::path distribution_keyring(const KernelCache& cache) {
  for (const char* name : {"/usr/share/keyrings/debian-archive-keyring.gpg",
                           "/usr/share/keyrings/debian-archive-keyring.pgp"}) {
    if (fs::exists(name)) {
      return name;
    }
  }
  throw Error(ExitStatus::kEnvironment,
              "kernels: the distribution's archive keyring is missing, so nothing can be verified",
              "install debian-archive-keyring; or " + by_hand(cache));
}

/// The last line that says why: apt's own "E: ..." if there is one.
std::string reason_in(const std::string& errors) {
  std::istringstream lines(errors);
  std::string reason = "no reason given";
  for (std::string line; std::getline(lines, line);) {
    if (line.substr(0, 3) == "E: ") {
      return line.substr(3);
    }
    reason = line.empty() ? reason : line;
  }
  return reason;
}

}  // namespace

KernelFetcher::KernelFetcher(KernelCache cache, Progress progress, std::stop_token stop)
    : cache_(std::move(cache)),
      progress_(std::move(progress)),
      stop_(std::move(stop)),
      apt_root_(cache_.root() / ".apt") {}

std::string_view KernelFetcher::default_flavour() { return "cloud-amd64"; }

std::vector<std::string> KernelFetcher::apt(std::string_view program,
                                            std::vector<std::string> arguments) const {
  std::vector<std::string> line = {std::string(program)};
  const auto option = [&line](std::string_view name, const std::string& value) {
    line.insert(line.end(), {"-o", fmt::format("{}={}", name, value)});
  };
  option("Dir::Etc::SourceList", apt_root_ / "sources.list");
  option("Dir::Etc::SourceParts", "-");
  option("Dir::State::Lists", apt_root_ / "lists");
  option("Dir::Cache", apt_root_ / "cache");
  option("Dir::Cache::pkgcache", "pkgcache.bin");
  option("Acquire::Languages", "none");
  option("Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled", "false");
  option("Acquire::Retries", "3");
  if (::geteuid() == 0) {
    // apt's own user could not write below a root user's private cache folder.
    option("APT::Sandbox::User", "root");
  }
  line.insert(line.end(), std::make_move_iterator(arguments.begin()),
              std::make_move_iterator(arguments.end()));
  return line;
}

std::string KernelFetcher::run_apt(std::string_view program,
                                   std::vector<std::string> arguments) const {
  const host::ProgramResult result =
      host::run_program(apt(program, std::move(arguments)), kAptDeadline, stop_);
  if (!result.end.ok()) {
    throw Error(ExitStatus::kEnvironment,
                fmt::format("kernels: {}: {}", program, reason_in(result.errors)), by_hand(cache_));
  }
  return result.output;
}

void KernelFetcher::update() {
  const std::string codename =
      os_release_value(host::read_file("/etc/os-release"), "VERSION_CODENAME");
  std::string targets;
  try {
    targets = host::run_program({"apt-get", "indextargets", "--format",
                                 std::string(kIndexTargetFormat), "Created-By: Packages"},
                                kAptDeadline, stop_)
                  .output;
  } catch (const std::system_error&) {
    throw Error(ExitStatus::kEnvironment, "kernels: this system has no apt-get", by_hand(cache_));
  }
  const std::string repository = debian_repository(targets, codename);
  if (repository.empty()) {
    throw Error(ExitStatus::kEnvironment,
                "kernels: this system's package sources name no repository of Debian's",
                by_hand(cache_));
  }
  fs::create_directories(apt_root_ / "lists" / "partial");
  fs::create_directories(apt_root_ / "cache" / "archives" / "partial");
  const fs::path sources = apt_root_ / "sources.list";
  const std::string text = kernel_sources(repository, distribution_keyring(cache_).native());
  std::error_code ignored;
  if (!fs::exists(sources) || host::read_file(sources) != text) {
    fs::remove(sources, ignored);
    host::write_new_file(sources, text);
  }
  progress_("reading the package mirror's indices");
  run_apt("apt-get", {"-q", "update", "--error-on=any"});
}

std::vector<std::string> KernelFetcher::available(std::string_view flavour) const {
  std::vector<std::string> releases;
  for (const std::string_view prefix : {kWholePrefix, kSplitPrefix}) {
    std::istringstream names(run_apt("apt-cache", {"pkgnames", std::string(prefix)}));
    for (std::string name; std::getline(names, name);) {
      if (is_of_flavour(name.substr(prefix.size()), flavour)) {
        releases.push_back(name.substr(prefix.size()));
      }
    }
  }
  std::sort(releases.begin(), releases.end(), release_less);
  releases.erase(std::unique(releases.begin(), releases.end()), releases.end());
  return releases;
}

bool KernelFetcher::is_served(const std::string& package) const {
  // apt-cache succeeds, and says nothing, for a name that is only mentioned.
  return host::run_program(apt("apt-cache", {"show", "--no-all-versions", package}), kAptDeadline,
                           stop_)
             .output.find("Package: ") != std::string::npos;
}

Kernel KernelFetcher::fetch(std::string_view prefix, std::string_view flavour) {
  std::vector<std::string> releases = available(flavour);
  std::reverse(releases.begin(), releases.end());
  for (const std::string& release : releases) {
    if (!release_matches(release, prefix)) {
      continue;
    }
    if (const auto cached = cache_.newest(release)) {
      progress_(fmt::format("{} is in the cache", release));
      return *cached;
    }
    // The name lists hold names that other packages merely mention.
    for (const std::string_view kind : {kSplitPrefix, kWholePrefix}) {
      if (const std::string package = fmt::format("{}{}", kind, release); is_served(package)) {
        return fetch_package(release, package);
      }
    }
  }
  throw Error(ExitStatus::kUsage,
              fmt::format("kernels: the package mirror serves no {} kernel {}", flavour, prefix),
              "see `msgring kernels list --available`");
}

PackagedKernel KernelFetcher::download(const std::string& package) const {
  progress_(fmt::format("downloading {}", package));
  const host::TemporaryFolder folder(".download", cache_.root());
  const host::ProgramResult result = host::run_program(apt("apt-get", {"-q", "download", package}),
                                                       kAptDeadline, stop_, folder.path());
  if (!result.end.ok()) {
    throw Error(ExitStatus::kEnvironment,
                fmt::format("kernels: {}: {}", package, reason_in(result.errors)), by_hand(cache_));
  }
  return read_kernel_package(fs::directory_iterator(folder.path())->path());
}

Kernel KernelFetcher::fetch_package(const std::string& release, const std::string& package) const {
  PackagedKernel kernel = download(package);
  if (kernel.image.empty()) {
    throw Error(ExitStatus::kEnvironment, fmt::format("kernels: {} holds no kernel image", package),
                by_hand(cache_));
  }
  const std::string base = fmt::format("{}{}", kBasePrefix, release);
  if (kernel.config.empty() && is_served(base)) {
    kernel.config = download(base).config;
  }
  return cache_.add(release, kernel.image, kernel.config, fmt::format("package {}\n", package));
}

}  // namespace msgring::boot
