// SPDX-License-Identifier: MIT
// The ssh driver: a real machine, reached by OpenSSH, rebooted into each kernel, in nanoseconds.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "msgring/boot/driver.hpp"
#include "msgring/boot/plan.hpp"
#include "msgring/host/temporary_folder.hpp"

namespace msgring::boot {

class Box;
class BoxBundle;

/// Kernels are those installed on the box: a release or the beginning of one, as /boot/vmlinuz-*
/// names them, or the path of such a file there. The user must be root there, by a key or an agent:
/// ssh never asks.
///
/// find_kernel() throws Error (kEnvironment) with ssh's own words when there is no way to the box;
/// prepare() when the user is not root there, a program is missing, or the benchmark does not
/// start.
class SshDriver : public Driver {
 public:
  /// `tune_host`: the script to take along where the plan wants it; else empty. `patience`: how
  /// long kernel_digest(), with which a resumed run begins, waits for a box that is between two
  /// boots.
  SshDriver(BoxPlan box, std::filesystem::path tune_host, std::chrono::seconds patience,
            std::stop_token stop);
  ~SshDriver() override;

  std::string_view name() const override { return "ssh"; }
  Kernel find_kernel(const std::string& name, const KernelCache& cache) override;
  std::string kernel_digest(const Kernel& kernel) override;
  void prepare(const DriverSetup& setup) override;
  DriverMemory memory() const override;
  host::Unit unit() const override { return host::Unit::kNanoseconds; }
  std::vector<std::string> notes() const override { return notes_; }
  unsigned most_parallel_boots() const override { return 1; }
  std::string command_line(const BootRequest& request) const override;
  std::unique_ptr<Machine> make_machine(const BootRequest& request, std::stop_token stop) override;

 private:
  std::unique_ptr<Box> make_box(const std::stop_token& stop) const;
  std::string whole_command_line(const BootRequest& request) const;

  BoxPlan plan_;
  std::filesystem::path tune_host_;
  std::chrono::seconds patience_;
  std::stop_token stop_;
  std::unique_ptr<Box> box_;
  host::TemporaryFolder scratch_{"msgring-box"};
  std::unique_ptr<BoxBundle> bundle_;
  Deadlines deadlines_;
  std::string base_command_line_;
  std::vector<std::string> notes_;
};

}  // namespace msgring::boot
