// SPDX-License-Identifier: MIT
// Choosing the accelerator, and one machine per request.
#include <fmt/format.h>

#include <map>
#include <random>

#include "msgring/boot/guest.hpp"
#include "msgring/boot/initramfs.hpp"
#include "msgring/boot/qemu.hpp"
#include "msgring/host/whole_file.hpp"
#include "qemu_machine.hpp"

namespace msgring::boot {
namespace {

/// Random, for the record of a boot. It never enters a guest whose instructions are counted.
std::string fresh_id() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

/// What a guest gets of its own: its instructions, and its kernel's configuration where a
/// distribution would have put it, so that the point can name it.
std::map<std::string, std::string> guest_files(const BootRequest& request,
                                               const std::string& run_id) {
  std::map<std::string, std::string> files = {
      {std::string(kGuestConfigName), encode_guest_config({run_id, request.arguments})}};
  if (!request.kernel.config.empty()) {
    files[fmt::format("boot/config-{}", request.kernel.release)] =
        host::read_file(request.kernel.config);
  }
  return files;
}

}  // namespace

QemuDriver::QemuDriver(UnitChoice unit, std::stop_token stop, std::string program)
    : choice_(unit), stop_(std::move(stop)), program_(std::move(program)) {}

void QemuDriver::choose_accelerator(const DriverSetup& setup) {
  if (choice_ == UnitChoice::kInstructions) {
    notes_.emplace_back("unit: instructions, as asked, counted by QEMU's emulator (icount)");
    return;
  }
  for (const Kernel& kernel : setup.kernels) {
    const KvmTrial trial = try_kvm(qemu_, kernel.image, stop_);
    if (trial.works) {
      continue;
    }
    if (choice_ == UnitChoice::kNanoseconds) {
      throw Error(ExitStatus::kEnvironment,
                  fmt::format("KVM does not boot {}: {}", kernel.image.native(), trial.evidence),
                  "use --unit instructions, or a machine with working KVM");
    }
    notes_.push_back(
        fmt::format("unit: instructions, counted by QEMU's emulator (icount), since KVM does not "
                    "boot a kernel here: {}",
                    trial.evidence));
    return;
  }
  accelerator_ = Accelerator::kKvm;
  notes_.emplace_back("unit: ns, since KVM boots these kernels here");
}

void QemuDriver::prepare(const DriverSetup& setup) {
  for (const Kernel& kernel : setup.kernels) {
    check_kernel_image(kernel.image);
    if (!kernel.config.empty()) {
      for (const std::string& option : missing_in_config(host::read_file(kernel.config))) {
        notes_.push_back(fmt::format("kernel {}: {}, a guest wants y", kernel.release, option));
      }
    }
  }
  qemu_ = probe_qemu(program_);
  memory_mib_ = setup.memory_mib;
  deadlines_ = setup.deadlines;
  initramfs_ = make_initramfs(setup.bench_program);
  choose_accelerator(setup);
}

host::Unit QemuDriver::unit() const {
  return accelerator_ == Accelerator::kKvm ? host::Unit::kNanoseconds : host::Unit::kInstructions;
}

unsigned QemuDriver::most_parallel_boots() const {
  // Instructions do not feel a neighbour; time does.
  return accelerator_ == Accelerator::kKvm ? 1 : 0;
}

QemuLine QemuDriver::line_for(const BootRequest& request) const {
  QemuLine line;
  line.accelerator = accelerator_;
  line.memory_mib = memory_mib_;
  line.seed = request.seed;
  line.kernel = request.kernel.image;
  line.initrd = request.scratch / "initrd";
  line.append = request.append;
  line.console = request.console_log;
  line.results = request.scratch / "results";
  line.serial_results = request.scratch / "serial_results";
  line.emulator_arguments = request.emulator_arguments;
  return line;
}

std::string QemuDriver::command_line(const BootRequest& request) const {
  return host::shell_quoted(qemu_command_line(qemu_, line_for(request)));
}

std::unique_ptr<Machine> QemuDriver::make_machine(const BootRequest& request,
                                                  std::stop_token stop) {
  QemuMachine::Plan plan;
  plan.line = line_for(request);
  plan.command_line = qemu_command_line(qemu_, plan.line);
  plan.deadlines = deadlines_;
  const std::string boot_id = fresh_id();
  // Two boots of one seed must not differ by a single byte inside the guest.
  plan.run_id = accelerator_ == Accelerator::kTcg ? fmt::format("seed-{}", request.seed) : boot_id;
  plan.initrd = initramfs_ + make_small_archive(guest_files(request, plan.run_id));
  plan.facts = {{"boot.driver", "qemu"},
                {"boot.run_id", boot_id},
                {"boot.emulator", qemu_.version},
                {"boot.accelerator", accelerator_ == Accelerator::kKvm ? "kvm" : "tcg icount"},
                {"boot.memory_mib", std::to_string(memory_mib_)},
                {"boot.command_line", host::shell_quoted(plan.command_line)}};
  if (accelerator_ == Accelerator::kTcg) {
    plan.facts["boot.seed"] = std::to_string(request.seed);
  }
  return std::make_unique<QemuMachine>(std::move(plan), std::move(stop));
}

}  // namespace msgring::boot
