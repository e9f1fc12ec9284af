// SPDX-License-Identifier: MIT
// What a run on this machine must find again after each of its reboots.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "msgring/host/boot_identity.hpp"

namespace msgring::boot {

/// A boot that this machine was told to do.
struct ArmedBoot {
  std::string boot;                ///< the planned boot's name: "02-B"
  std::string release;             ///< asked for
  std::string method;              ///< boot_method_text()
  host::BootIdentity before;       ///< the boot that was to end
  std::int64_t at_s = 0;           ///< when it was told, seconds since 1970
  std::vector<std::string> notes;  ///< for the try's console log, which begins after the reboot
  std::string measuring_in;        ///< the boot_id in which it began to measure; empty before that
};

/// A run that is under way.
struct LocalState {
  std::filesystem::path folder;        ///< the run's
  std::vector<std::string> arguments;  ///< of `msgring aba`, with which it goes on
  unsigned starts = 0;                 ///< of `msgring resume`, since the last boot was armed
  std::optional<ArmedBoot> armed;
  std::map<std::string, unsigned> lost;  ///< tries, by the planned boot's name
  std::string last_failure;
};

/// How the last run ended.
struct LocalEnd {
  std::filesystem::path folder;
  std::string how;
  std::int64_t at_s = 0;
};

/// JSON. Reading throws Error (kInvalid), which begins with `source`, for any other text.
std::string local_state_text(const LocalState& state);
LocalState parse_local_state(std::string_view text, std::string_view source);

/// The two files: `run.json`, there while a run is under way, and `last.json`. Each is replaced as
/// a whole and synced before a call returns.
class LocalStore {
 public:
  explicit LocalStore(std::filesystem::path folder = "/var/lib/msgring")
      : folder_(std::move(folder)) {}

  const std::filesystem::path& folder() const noexcept { return folder_; }
  std::filesystem::path state_file() const { return folder_ / "run.json"; }
  std::filesystem::path end_file() const { return folder_ / "last.json"; }

  /// Nothing when no run is under way. Throws Error (kInvalid) for a damaged file.
  std::optional<LocalState> load() const;
  /// The same; throws Error (kUsage) when no run is under way.
  LocalState demand() const;
  void save(const LocalState& state) const;

  /// Notes that the boot was armed: what was started in vain before it is forgotten.
  void arm(LocalState state, ArmedBoot boot) const;
  /// Notes that the armed boot measures.
  void measure(const std::string& boot_id) const;
  /// Notes that a try of `boot` was lost.
  void lose(const std::string& boot, const std::string& why) const;

  /// Removes the state, and keeps how it ended.
  void end(const LocalEnd& how) const;
  std::optional<LocalEnd> last() const;

 private:
  std::filesystem::path folder_;
};

}  // namespace msgring::boot
