// SPDX-License-Identifier: MIT
// Sealing a run's folder with digests, and checking it against them.
#include <fmt/format.h>

#include <map>
#include <sstream>

#include "msgring/boot/run.hpp"
#include "msgring/host/sha256.hpp"
#include "msgring/host/whole_file.hpp"
#include "run_identity.hpp"

namespace msgring::boot {
namespace {

namespace fs = std::filesystem;

/// Relative path to digest, for every file but SHA256SUMS itself.
std::map<std::string, std::string> digests_in(const RunFolder& folder) {
  std::map<std::string, std::string> digests;
  for (const auto& entry : fs::recursive_directory_iterator(folder.path())) {
    if (entry.is_regular_file() && entry.path() != folder.sums_file()) {
      digests[entry.path().lexically_relative(folder.path())] = host::sha256_of_file(entry.path());
    }
  }
  return digests;
}

/// Lines "<64 hexadecimal digits>  <path>", as sha256sum writes them.
std::map<std::string, std::string> read_sums(const fs::path& file) {
  constexpr std::size_t kDigits = 64;
  std::map<std::string, std::string> sums;
  std::istringstream lines(host::read_file(file));
  for (std::string line; std::getline(lines, line);) {
    if (line.size() < kDigits + 3 || line.compare(kDigits, 2, "  ") != 0) {
      throw Error(ExitStatus::kInvalid,
                  fmt::format("{}: '{}' is no line of it", file.native(), line));
    }
    sums[line.substr(kDigits + 2)] = line.substr(0, kDigits);
  }
  return sums;
}

void compare_sums(const std::map<std::string, std::string>& sealed,
                  const std::map<std::string, std::string>& present,
                  std::vector<std::string>& faults) {
  for (const auto& [path, digest] : sealed) {
    const auto found = present.find(path);
    if (found == present.end()) {
      faults.push_back(fmt::format("{}: is missing", path));
    } else if (found->second != digest) {
      faults.push_back(fmt::format("{}: has changed", path));
    }
  }
  for (const auto& [path, digest] : present) {
    if (sealed.count(path) == 0) {
      faults.push_back(fmt::format("{}: was added", path));
    }
  }
}

}  // namespace

void seal_run(const fs::path& folder) {
  const RunFolder run(folder);
  std::string text;
  for (const auto& [path, digest] : digests_in(run)) {
    text += fmt::format("{}  {}\n", digest, path);
  }
  host::write_new_file(run.sums_file(), text);
}

std::vector<std::string> check_run(const fs::path& folder) {
  const RunFolder run(folder);
  const Plan plan = stored_plan(folder);
  const RunIdentity identity =
      parse_identity(host::read_file(run.identity_file()), run.identity_file().native());
  std::vector<std::string> faults;
  if (!fs::exists(run.sums_file())) {
    faults.emplace_back("SHA256SUMS: is missing: the run is not finished");
  } else {
    compare_sums(read_sums(run.sums_file()), digests_in(run), faults);
  }
  for (const PlannedBoot& boot : planned_boots(plan, identity.unit)) {
    if (!run.has_point(boot.name) && run.lost_attempts(boot.name) == 0) {
      faults.push_back(fmt::format("points/{}.json: is missing, and was not lost", boot.name));
    }
  }
  return faults;
}

}  // namespace msgring::boot
