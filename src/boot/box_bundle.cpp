// SPDX-License-Identifier: MIT
#include "box_bundle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "boot_switch.hpp"
#include "msgring/boot/initramfs.hpp"
#include "msgring/error.hpp"
#include "msgring/host/sha256.hpp"
#include "msgring/host/whole_file.hpp"

namespace msgring::boot {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kCopyPatience(600);

/// $1 folder, $2 digest of its list. Nobody else's folder will do, whatever is in it.
constexpr std::string_view kCheckScript = R"sh(
cd "$1" 2>/dev/null && [ -O . ] && [ "$(sha256sum <SHA256SUMS)" = "$2  -" ] && sha256sum -c --status SHA256SUMS
)sh";

/// $1 the new copy, $2 its place.
constexpr std::string_view kPlaceScript = R"sh(
rm -rf "$2" && mv "$1" "$2" && sync
)sh";

constexpr std::string_view kMissingScript = R"sh(
for names in "$@"; do
  found=
  for name in $(echo "$names" | tr '|' ' '); do
    if command -v "$name" >/dev/null; then found=yes; fi
  done
  if [ -z "$found" ]; then echo "$names"; fi
done
)sh";

/// Parts of the C library, which must fit the box's loader: the box's own are taken.
bool is_of_the_c_library(const fs::path& library) {
  constexpr std::array<std::string_view, 8> kNames = {"libc.so",  "libm.so",  "libpthread.so",
                                                      "libdl.so", "librt.so", "libresolv.so",
                                                      "ld-",      "libmvec"};
  const std::string name = library.filename();
  return std::any_of(kNames.begin(), kNames.end(),
                     [&name](std::string_view begin) { return name.rfind(begin, 0) == 0; });
}

}  // namespace

BoxBundle::BoxBundle(const fs::path& bench_program, const fs::path& tune_host,
                     const fs::path& scratch)
    : staging_(scratch / "bundle") {
  fs::create_directories(staging_ / "lib");
  std::map<std::string, fs::path> files = {{"msgring_bench", bench_program}};
  for (const fs::path& library : resolve_program(bench_program).libraries) {
    if (!is_of_the_c_library(library)) {
      files["lib/" + library.filename().native()] = library;
    }
  }
  if (!tune_host.empty()) {
    files["tune-host"] = tune_host;
  }
  std::string sums;
  for (const auto& [name, file] : files) {
    fs::copy_file(file, staging_ / name);
    sums += fmt::format("{}  {}\n", host::sha256_of_file(file), name);
  }
  host::write_new_file(staging_ / "SHA256SUMS", sums);
  digest_ = host::sha256_of_bytes(sums);
  folder_ = "/var/tmp/msgring-" + digest_.substr(0, 16);
}

void BoxBundle::demand_same(const DriverMemory& memory) const {
  const auto stored = memory.find(kMemory);
  if (stored != memory.end() && stored->second != digest_) {
    throw Error(ExitStatus::kUsage,
                "the benchmark, its libraries or tune-host have changed since the run began",
                "bring them back, or begin a new run");
  }
}

bool BoxBundle::is_on(Box& box) const {
  return box.run(box_script(kCheckScript, {folder_, digest_}), kCopyPatience).ok();
}

void BoxBundle::put_on(Box& box) const {
  if (!is_on(box)) {
    const std::string fresh = folder_ + ".new";
    demand(box, {"rm", "-rf", fresh}, fmt::format("{} on the box", fresh));
    if (const BoxAnswer copy = box.copy(staging_, fresh, kCopyPatience); !copy.ok()) {
      throw Error(ExitStatus::kEnvironment,
                  fmt::format("copying the benchmark to {}: {}", fresh, last_words(copy.errors)));
    }
    demand(box, box_script(kPlaceScript, {fresh, folder_}), folder_);
    if (!is_on(box)) {
      throw Error(ExitStatus::kEnvironment,
                  fmt::format("{}: what arrived is not what was sent", folder_),
                  "is the disk full?");
    }
  }
  demand(box,
         {"env", fmt::format("LD_LIBRARY_PATH={}/lib", folder_), folder_ + "/msgring_bench",
          "--version"},
         "the benchmark does not start on the box");
}

void demand_programs(Box& box, const BoxPlan& plan, const std::vector<std::string>& more) {
  std::vector<std::string> programs = {"flock", "setsid", "nohup", "timeout", "sha256sum", "od"};
  const std::vector<std::string> switching = switch_programs(plan.boot);
  programs.insert(programs.end(), switching.begin(), switching.end());
  programs.insert(programs.end(), more.begin(), more.end());
  if (plan.tune) {
    programs.emplace_back("bash");
  }
  if (const std::string missing = missing_programs(box, programs); !missing.empty()) {
    throw Error(
        ExitStatus::kEnvironment, fmt::format("the box lacks {}", missing),
        "install it there: kexec is in kexec-tools, the others in util-linux and coreutils");
  }
}

std::string missing_programs(Box& box, const std::vector<std::string>& programs) {
  std::string missing = demand(box, box_script(kMissingScript, programs), "the box");
  std::replace(missing.begin(), missing.end(), '\n', ' ');
  return missing.substr(0, missing.find_last_not_of(' ') + 1);
}

}  // namespace msgring::boot
