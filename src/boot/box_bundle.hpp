// SPDX-License-Identifier: MIT
// BoxBundle: the benchmark with its libraries, put onto a real machine once and found again.
#pragma once

#include <filesystem>
#include <string>

#include "box.hpp"
#include "msgring/boot/driver.hpp"
#include "msgring/boot/plan.hpp"

namespace msgring::boot {

/// A folder of files, told from any other by its digest:
///
///     msgring_bench   lib/*.so*   tune-host   SHA256SUMS
///
/// The C library is the box's own; all other libraries travel along.
class BoxBundle {
 public:
  /// Collects the files below `scratch`. `tune_host` may be empty. Throws as resolve_program()
  /// does.
  BoxBundle(const std::filesystem::path& bench_program, const std::filesystem::path& tune_host,
            const std::filesystem::path& scratch);

  /// Under which name a driver's memory keeps the digest.
  static constexpr const char* kMemory = "bundle";
  const std::string& digest() const noexcept { return digest_; }
  /// Throws Error (kUsage) when the run began with other files.
  void demand_same(const DriverMemory& memory) const;

  /// Its folder on the box: named for its digest, below /var/tmp, which a reboot leaves alone.
  const std::string& folder() const noexcept { return folder_; }

  /// Copies it unless the same files are there already, proves each by its digest, and starts the
  /// benchmark for its version. Throws Error (kEnvironment).
  void put_on(Box& box) const;

 private:
  bool is_on(Box& box) const;

  std::filesystem::path staging_;
  std::string digest_;  ///< of SHA256SUMS
  std::string folder_;
};

/// Throws Error (kEnvironment) that names what the box lacks of all that a run of `plan` needs
/// there, and of `more`.
void demand_programs(Box& box, const BoxPlan& plan, const std::vector<std::string>& more = {});

/// The names of `programs` ("a|b": either) that the box lacks.
std::string missing_programs(Box& box, const std::vector<std::string>& programs);

}  // namespace msgring::boot
