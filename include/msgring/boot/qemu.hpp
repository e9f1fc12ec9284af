// SPDX-License-Identifier: MIT
// The QEMU driver: a fresh guest for every boot, under KVM in nanoseconds, under icount in
// instructions.
#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "msgring/boot/driver.hpp"

namespace msgring::boot {

/// The emulator, as it is installed.
struct QemuProgram {
  std::string program;  ///< as it will be started
  unsigned major = 0;
  unsigned minor = 0;
  std::string version;  ///< its own first line
};

/// Asks `program` for its version. Throws Error (kEnvironment) that says what to install when it is
/// not there, or too old.
QemuProgram probe_qemu(const std::string& program = "qemu-system-x86_64");

enum class Accelerator { kKvm, kTcg };

/// What a QEMU command line is made from.
struct QemuLine {
  Accelerator accelerator = Accelerator::kTcg;
  unsigned memory_mib = 512;
  std::uint32_t seed = 0;
  std::filesystem::path kernel;
  std::filesystem::path initrd;          ///< empty: none
  std::string append;                    ///< added to what msgring itself sets
  std::filesystem::path console;         ///< file of the first serial port
  std::filesystem::path results;         ///< file of the virtio port
  std::filesystem::path serial_results;  ///< file of the second serial port
  std::vector<std::string> emulator_arguments;
};

/// The kernel's command line: msgring's own words, then `append`.
std::string kernel_command_line(Accelerator accelerator, std::string_view append);

/// The whole argument vector. The same input gives the same boot: with kTcg, to the instruction.
std::vector<std::string> qemu_command_line(const QemuProgram& qemu, const QemuLine& line);

/// Whether KVM really boots `kernel` here, and what says so.
struct KvmTrial {
  bool works = false;
  std::string evidence;  ///< one line
};

/// Starts the kernel without user space under KVM and waits a few seconds for its first words.
/// /dev/kvm alone proves nothing: some hosts offer it and cannot run a guest.
KvmTrial try_kvm(const QemuProgram& qemu, const std::filesystem::path& kernel,
                 const std::stop_token& stop = {});

/// Throws Error (kUsage) when `image` is neither a bzImage nor an ELF vmlinux.
void check_kernel_image(const std::filesystem::path& image);

/// The build-in support that a guest needs and `config` (a kernel's .config text) lacks:
/// "CONFIG_VIRTIO_CONSOLE=m (needed: y)", ... Empty when nothing is missing.
std::vector<std::string> missing_in_config(std::string_view config);

/// Which unit the user asked for; kAuto takes ns where KVM works.
enum class UnitChoice { kAuto, kNanoseconds, kInstructions };

/// Boots with QEMU on this machine.
class QemuDriver : public Driver {
 public:
  explicit QemuDriver(UnitChoice unit, std::stop_token stop = {},
                      std::string program = "qemu-system-x86_64");

  std::string_view name() const override { return "qemu"; }
  void prepare(const DriverSetup& setup) override;
  host::Unit unit() const override;
  std::vector<std::string> notes() const override { return notes_; }
  unsigned most_parallel_boots() const override;
  std::string command_line(const BootRequest& request) const override;
  std::unique_ptr<Machine> make_machine(const BootRequest& request, std::stop_token stop) override;

 private:
  void choose_accelerator(const DriverSetup& setup);
  QemuLine line_for(const BootRequest& request) const;

  UnitChoice choice_;
  std::stop_token stop_;
  std::string program_;
  QemuProgram qemu_;
  Accelerator accelerator_ = Accelerator::kTcg;
  unsigned memory_mib_ = 512;
  Deadlines deadlines_;
  std::string initramfs_;
  std::vector<std::string> notes_;
};

}  // namespace msgring::boot
