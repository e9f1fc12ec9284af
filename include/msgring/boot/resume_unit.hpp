// SPDX-License-Identifier: MIT
// msgring-resume.service: what goes on with a run after each boot of this machine.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace msgring::boot {

inline constexpr const char* kResumeUnit = "msgring-resume.service";

/// What the unit starts, and what must be there for it.
struct ResumeUnit {
  std::vector<std::string> command;           ///< begins with an absolute path
  std::string library_path;                   ///< LD_LIBRARY_PATH; empty: not set
  std::filesystem::path state_file;           ///< without it the unit does nothing
  std::vector<std::filesystem::path> mounts;  ///< paths whose file systems must be mounted
};

/// The unit as systemd.unit(5) and systemd.service(5) read it: once per boot, after everything else
/// of it; started again when msgring was killed or the machine could not do it (exit status 5), not
/// when a person must act. Of type simple: the boot is complete while it runs, and systemd before
/// version 244 starts no unit of type oneshot again.
std::string resume_unit_text(const ResumeUnit& unit);

/// The unit in systemd's own folder for the administrator's units, wanted by multi-user.target.
class ResumeUnitFile {
 public:
  explicit ResumeUnitFile(std::filesystem::path folder = "/etc/systemd/system")
      : folder_(std::move(folder)) {}

  const std::filesystem::path& folder() const noexcept { return folder_; }
  std::filesystem::path path() const { return folder_ / kResumeUnit; }
  std::filesystem::path link() const { return folder_ / "multi-user.target.wants" / kResumeUnit; }

  /// Writes both, synced: systemd reads them at the next boot.
  void install(std::string_view text) const;
  /// Removes both. Nothing there is no fault.
  void remove() const;
  bool is_installed() const;

 private:
  std::filesystem::path folder_;
};

}  // namespace msgring::boot
