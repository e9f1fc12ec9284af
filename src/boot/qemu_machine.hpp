// SPDX-License-Identifier: MIT
// QemuMachine: one QEMU process, watched from start to power-off.
#pragma once

#include <optional>
#include <string>

#include "guest_watch.hpp"
#include "msgring/boot/driver.hpp"
#include "msgring/boot/qemu.hpp"
#include "msgring/host/process.hpp"

namespace msgring::boot {

/// A file that another process appends to, read as it grows.
class GrowingFile {
 public:
  explicit GrowingFile(std::filesystem::path path) : path_(std::move(path)) {}
  /// What has come since the last call.
  std::string read_new();

 private:
  std::filesystem::path path_;
  std::size_t offset_ = 0;
};

class QemuMachine : public Machine {
 public:
  struct Plan {
    std::vector<std::string> command_line;
    QemuLine line;
    std::string run_id;
    std::string initrd;  ///< its bytes, written when the machine boots
    Deadlines deadlines;
    std::map<std::string, std::string> facts;
  };

  QemuMachine(Plan plan, std::stop_token stop);

  void boot(BootObserver& observer) override;
  void run(BootObserver& observer) override;
  BootResult fetch(BootObserver& observer) override;

 private:
  void wait_until(BootPhase phase, BootObserver& observer);
  void look(std::chrono::milliseconds patience, BootObserver& observer);
  std::string read_errors() const;

  Plan plan_;
  std::stop_token stop_;
  host::ProcessFiles files_;
  GrowingFile console_;
  GrowingFile results_;
  GrowingFile serial_results_;
  std::optional<host::ChildProcess> child_;
  std::optional<GuestWatch> watch_;
  std::optional<BootPhase> told_;
};

}  // namespace msgring::boot
