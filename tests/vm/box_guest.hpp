// SPDX-License-Identifier: MIT
// A QEMU guest that plays a real machine: a disk, a distribution, sshd behind a loopback port.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "msgring/host/process.hpp"
#include "msgring/host/temporary_folder.hpp"

namespace msgring::boot {

enum class Link { kDown, kUp };

/// What the guest's first process is: a small script that is up in seconds, or systemd.
enum class Init { kScript, kSystemd };

class BoxGuest {
 public:
  /// What is missing for it here, and what to run; empty when it can be made.
  static std::string missing();

  /// Copies the disk and writes the configuration for ssh; starts nothing.
  explicit BoxGuest(Init init = Init::kScript);

  /// Switches the power on: it boots the older of its two kernels, as from its boot loader's
  /// default.
  void power_on();
  /// Pulls the plug.
  void power_off();
  void set_link(Link link) const;

  /// Runs a command there over ssh; fails as ssh does.
  host::ProgramResult ssh(const std::vector<std::string>& command,
                          std::chrono::seconds deadline = std::chrono::seconds(60)) const;
  /// Copies files or folders there, or from there, into a folder.
  host::ProgramResult put(const std::vector<std::filesystem::path>& files,
                          const std::string& folder) const;
  host::ProgramResult fetch(const std::string& path, const std::filesystem::path& folder) const;
  /// Waits until it answers.
  void wait_until_up() const;

  const std::filesystem::path& config() const noexcept { return config_; }
  /// The two releases, oldest first.
  const std::vector<std::string>& releases() const noexcept { return releases_; }
  std::string console() const;

 private:
  std::vector<std::string> command_line() const;

  std::vector<std::string> scp_line() const;

  Init init_;
  host::TemporaryFolder folder_{"msgring-box-guest"};
  std::filesystem::path config_ = folder_.path() / "ssh_config";
  std::vector<std::string> releases_;
  unsigned port_ = 0;
  std::optional<host::ChildProcess> emulator_;
};

/// Expects in the run's folder an ABA of the guest's two kernels, each booted by msgring's kexec
/// and measured, and a folder that `msgring check` takes.
void expect_kexec_sandwich(const BoxGuest& guest, const std::filesystem::path& run,
                           std::string_view driver);

}  // namespace msgring::boot
