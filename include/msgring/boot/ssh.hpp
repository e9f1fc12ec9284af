// SPDX-License-Identifier: MIT
// The ssh driver: a real machine, reached by OpenSSH, rebooted into each kernel, in nanoseconds.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>

#include "msgring/boot/box_driver.hpp"

namespace msgring::boot {

/// The user must be root on the box, by a key or an agent: ssh never asks.
///
/// find_kernel() throws Error (kEnvironment) with ssh's own words when there is no way to the box;
/// prepare() when the user is not root there, a program is missing, or the benchmark does not
/// start.
class SshDriver : public BoxDriver {
 public:
  /// `tune_host`: the script to take along where the plan wants it; else empty. `patience`: how
  /// long kernel_digest(), with which a resumed run begins, waits for a box that is between two
  /// boots.
  SshDriver(const BoxPlan& box, std::filesystem::path tune_host, std::chrono::seconds patience,
            std::stop_token stop);

  std::string_view name() const override { return "ssh"; }
  std::string kernel_digest(const Kernel& kernel) override;
  void prepare(const DriverSetup& setup) override;
  std::string command_line(const BootRequest& request) const override;
  std::unique_ptr<Machine> make_machine(const BootRequest& request, std::stop_token stop) override;

 private:
  std::chrono::seconds patience_;
  std::stop_token stop_;
};

}  // namespace msgring::boot
