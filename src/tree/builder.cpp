// SPDX-License-Identifier: MIT
// From a request to an image, in the order in which things can go wrong cheaply.
#include "msgring/tree/builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "build_lock.hpp"
#include "built_store.hpp"
#include "fragment.hpp"
#include "kernel_config.hpp"
#include "make.hpp"
#include "msgring/host/process.hpp"
#include "msgring/host/sha256.hpp"
#include "msgring/host/whole_file.hpp"
#include "source.hpp"

namespace msgring::tree {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kShortId = 12;
/// All releases are this long, whatever the version, so that no string moves another.
constexpr std::size_t kReleaseLength = 40;
constexpr std::uintmax_t kCheckoutBytes = std::uintmax_t{3} << 30;
constexpr std::uintmax_t kBuildBytes = std::uintmax_t{512} << 20;

/// The configuration that is asked for, before olddefconfig has seen it.
struct ConfigRequest {
  std::string text;
  bool on_tinyconfig = false;  ///< `text` is added to tinyconfig
};

ConfigRequest config_request(const BuildRequest& request) {
  ConfigRequest config;
  config.on_tinyconfig = request.config.empty();
  if (config.on_tinyconfig) {
    config.text = config_fragment();
  } else {
    std::error_code ignored;
    if (!fs::is_regular_file(request.config, ignored)) {
      throw Error(ExitStatus::kUsage,
                  fmt::format("configuration {}: no such file", request.config.native()),
                  "give a kernel's .config");
    }
    config.text = host::read_file(request.config) +
                  "\nCONFIG_LOCALVERSION=\"\"\n# CONFIG_LOCALVERSION_AUTO is not set\n";
  }
  for (const std::string& change : request.config_changes) {
    config.text += config_line(change);
  }
  return config;
}

void write_over(const fs::path& file, std::string_view text) {
  fs::remove(file);
  host::write_new_file(file, text);
}

/// What makes two releases as long as each other: "7.3.4" becomes "7.3.4-msgring-0123456789...".
std::string local_version(const std::string& version, const std::string& key) {
  const std::string begin = "-msgring-";
  const std::size_t used = version.size() + begin.size();
  const std::size_t digits = used + kShortId > kReleaseLength ? kShortId : kReleaseLength - used;
  return begin + key.substr(0, digits);
}

/// VERSION.PATCHLEVEL.SUBLEVELEXTRA and the localversion* files of linux-next and others: all of a
/// release but LOCALVERSION.
std::string source_version(const fs::path& source, const std::stop_token& stop) {
  const auto result = host::run_program(
      {"make", "-s", "--no-print-directory", "-C", source.native(), "kernelversion"},
      std::chrono::minutes(1), stop);
  const std::vector<std::string> lines = lines_of(result.output);
  std::string version = lines.empty() ? "unknown" : lines.back();
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(source)) {
    if (entry.path().filename().native().rfind("localversion", 0) == 0) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    for (const char letter : host::read_file(file)) {
      version +=
          std::isspace(static_cast<unsigned char>(letter)) == 0 ? std::string(1, letter) : "";
    }
  }
  return version;
}

/// The GNU build id that the linker put into `vmlinux`.
std::string build_id_of(const fs::path& vmlinux) {
  const auto notes = host::run_program({"readelf", "--notes", "--wide", vmlinux.native()},
                                       std::chrono::minutes(1));
  constexpr std::string_view kName = "Build ID: ";
  const std::size_t at = notes.output.find(kName);
  if (at == std::string::npos) {
    return "none";
  }
  const std::size_t begin = at + kName.size();
  return notes.output.substr(begin, notes.output.find('\n', begin) - begin);
}

/// A configuration as it was. If it comes out the same, its time stays too, or `make` would take
/// it for a new one and ask kconfig again.
class Configured {
 public:
  explicit Configured(fs::path file)
      : file_(std::move(file)), text_(host::read_file_from(file_, 0)) {
    std::error_code absent;
    time_ = fs::last_write_time(file_, absent);
  }

  void keep_time_if_same() const {
    if (!text_.empty() && host::read_file(file_) == text_) {
      fs::last_write_time(file_, time_);
    }
  }

 private:
  fs::path file_;
  std::string text_;
  fs::file_time_type time_;
};

/// What was asked and what kconfig made of it: neither may have changed since.
std::string stamp_text(const std::string& asked, const fs::path& config) {
  return fmt::format("{} {}\n", asked, host::sha256_of_file(config));
}

/// One build in one repository's folder, under its lock.
class Build {
 public:
  Build(const BuilderSetup& setup, const BuildRequest& request, fs::path folder, std::string name)
      : setup_(setup), request_(request), folder_(std::move(folder)), name_(std::move(name)) {}

  BuiltKernel run(const SourceRepository& repository, const Source& source,
                  const ConfigRequest& config, const std::string& compiler,
                  const std::string& key) const {
    check_space(repository);
    setup_.progress(fmt::format("checking out {}", name_));
    repository.check_out(source.tree);
    const std::string config_id = host::sha256_of_bytes(config.text).substr(0, kShortId);
    MakeSetup make{
        repository.checkout(),
        folder_ / "objects" / config_id,
        folder_ / "build.log",
        local_version(source_version(repository.checkout(), setup_.stop), key),
        setup_.jobs != 0 ? setup_.jobs : std::max(1U, std::thread::hardware_concurrency()),
        name_,
        setup_.progress,
        setup_.stop};
    fs::remove(make.log);
    fs::create_directories(make.objects);
    try {
      configure(make, config, repository.config_inputs(source.tree) + compiler);
      setup_.progress(fmt::format("building {}", name_));
      run_make(make, {"bzImage"});
    } catch (const BuildFailure& failure) {
      keep_log(failure, key);
    }
    return BuiltStore(folder_ / "built").add(key, fresh(make, compiler));
  }

 private:
  void check_space(const SourceRepository& repository) const {
    const std::uintmax_t needed = fs::exists(repository.checkout()) ? kBuildBytes : kCheckoutBytes;
    if (const std::uintmax_t left = fs::space(folder_).available; left < needed) {
      throw Error(ExitStatus::kEnvironment,
                  fmt::format("{}: the disk is full: {} MiB are left, a build needs {}",
                              folder_.native(), left >> 20, needed >> 20),
                  "make room, or set XDG_CACHE_HOME to a larger disk");
    }
  }

  /// Asks kconfig, unless what it would be asked is what made the configuration that is there.
  void configure(const MakeSetup& make, const ConfigRequest& config,
                 const std::string& inputs) const {
    const fs::path file = make.objects / ".config";
    const fs::path stamp = make.objects / "msgring.configured";
    const std::string asked =
        host::sha256_of_bytes(fmt::format("{}\n{}\n{}", config.on_tinyconfig, config.text, inputs));
    if (fs::exists(file) && host::read_file_from(stamp, 0) == stamp_text(asked, file)) {
      return;
    }
    fs::remove(stamp);
    setup_.progress(fmt::format("configuring {}", name_));
    const Configured before(file);
    std::string text;
    if (config.on_tinyconfig) {
      fs::remove(file);
      run_make(make, {"tinyconfig"});
      text = host::read_file(file);
    }
    write_over(file, text + config.text);
    run_make(make, {"olddefconfig"});
    check_config(host::read_file(file), request_.config_changes);
    before.keep_time_if_same();
    host::write_new_file(stamp, stamp_text(asked, file));
  }

  [[noreturn]] void keep_log(const BuildFailure& failure, const std::string& key) const {
    fs::create_directories(folder_ / "failed");
    const fs::path log = folder_ / "failed" / (key.substr(0, kShortId) + ".log");
    fs::rename(failure.log(), log);
    throw BuildFailure(fmt::format("{} does not build", name_), failure.first_error(), log);
  }

  FreshBuild fresh(const MakeSetup& make, const std::string& compiler) const {
    FreshBuild build{
        make.objects / "arch" / "x86" / "boot" / "bzImage", make.objects / ".config", make.log, {}};
    std::string release = host::read_file(make.objects / "include" / "config" / "kernel.release");
    release.erase(release.find_last_not_of('\n') + 1);
    build.facts = {release, host::sha256_of_bytes(normalized_config(host::read_file(build.config))),
                   compiler, build_id_of(make.objects / "vmlinux"),
                   host::sha256_of_file(build.image)};
    return build;
  }

  const BuilderSetup& setup_;
  const BuildRequest& request_;
  fs::path folder_;
  std::string name_;
};

/// For people: "HEAD~1 (0123456789ab)", "worktree (0123456789ab, 1 tracked file changed)".
std::string name_of(const BuildRequest& request, const Source& source) {
  std::string name = fmt::format("{} ({}", request.revision, source.commit.substr(0, kShortId));
  if (source.dirty != "clean") {
    name += ", " + source.dirty;
  }
  if (!request.patch.empty()) {
    name += ", " + request.patch.filename().native();
  }
  return name + ")";
}

/// The user's repository, and its folder in the cache, in which nobody else works meanwhile.
struct HeldRepository {
  HeldRepository(const BuilderSetup& setup, const fs::path& tree)
      : user(find_repository(tree, setup.stop)),
        folder(made(setup.cache_root / user.cache_name())),
        lock(folder, setup.progress, setup.stop),
        repository(user, folder, setup.stop) {}

  static fs::path made(fs::path folder) {
    fs::create_directories(folder);
    return folder;
  }

  UserRepository user;
  fs::path folder;
  BuildLock lock;
  SourceRepository repository;
};

/// What is interrupted is the build, whichever program was at work.
template <typename Act>
auto naming_the_build(const BuildRequest& request, const Act& act) {
  try {
    return act();
  } catch (const Error& error) {
    if (error.status() != ExitStatus::kInterrupted) {
      throw;
    }
    throw Error(
        ExitStatus::kInterrupted,
        fmt::format("building {} of {}: interrupted", request.revision, request.tree.native()),
        "the same command goes on from here");
  }
}

void complete(BuiltKernel& built, const BuildRequest& request, const Source& source) {
  built.identity.revision = request.revision;
  built.identity.commit = source.commit;
  built.identity.subject = source.subject;
  built.identity.source = source.tree;
  built.identity.dirty = source.dirty;
  built.identity.patch_sha256 = source.patch_sha256;
}

}  // namespace

fs::path default_cache_root() { return boot::KernelCache::default_root().parent_path() / "trees"; }

KernelBuilder::KernelBuilder(BuilderSetup setup) : setup_(std::move(setup)) {
  if (setup_.cache_root.empty()) {
    setup_.cache_root = default_cache_root();
  }
  setup_.cache_root = fs::absolute(setup_.cache_root);
  if (setup_.cache_root.native().find_first_of(" :") != std::string::npos) {
    throw Error(ExitStatus::kUsage,
                fmt::format("{}: the kernel's make takes no folder with a space or a colon in it",
                            setup_.cache_root.native()),
                "set XDG_CACHE_HOME to another");
  }
}

void KernelBuilder::check(const BuildRequest& request) {
  naming_the_build(request, [&] { check_source(request); });
}

BuiltKernel KernelBuilder::build(const BuildRequest& request) {
  return naming_the_build(request, [&] { return build_or_reuse(request); });
}

void KernelBuilder::check_source(const BuildRequest& request) const {
  check_build_tools();
  config_request(request);
  check_changes(request.config_changes);
  HeldRepository(setup_, request.tree).repository.resolve(request);
}

BuiltKernel KernelBuilder::build_or_reuse(const BuildRequest& request) {
  const std::string compiler = check_build_tools();
  const ConfigRequest config = config_request(request);
  const HeldRepository held(setup_, request.tree);
  const Source source = held.repository.resolve(request);
  const std::string name = name_of(request, source);
  // The first word is the way of building; it changes with this file.
  const std::string key = host::sha256_of_bytes(
      fmt::format("2\n{}\n{}\n{}\n{}", source.tree, compiler, config.on_tinyconfig, config.text));
  if (auto built = BuiltStore(held.folder / "built").find(key)) {
    setup_.progress(fmt::format("{} is built already", name));
    complete(*built, request, source);
    built->reused = true;
    return *built;
  }
  BuiltKernel built =
      Build(setup_, request, held.folder, name).run(held.repository, source, config, compiler, key);
  complete(built, request, source);
  return built;
}

}  // namespace msgring::tree
