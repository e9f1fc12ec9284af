// SPDX-License-Identifier: MIT
// Preparing a box, and one machine for each of its boots.
#include <fmt/format.h>

#include "box_bundle.hpp"
#include "box_kernels.hpp"
#include "box_machine.hpp"
#include "msgring/boot/ssh.hpp"
#include "ssh_box.hpp"

namespace msgring::boot {
namespace {

SshTarget target_of(const BoxPlan& plan) { return {plan.host, plan.ssh_config}; }

}  // namespace

SshDriver::SshDriver(BoxPlan box, std::filesystem::path tune_host, std::chrono::seconds patience,
                     std::stop_token stop)
    : plan_(std::move(box)),
      tune_host_(std::move(tune_host)),
      patience_(patience),
      stop_(std::move(stop)),
      box_(make_box(stop_)) {}

SshDriver::~SshDriver() = default;

std::unique_ptr<Box> SshDriver::make_box(const std::stop_token& stop) const {
  return std::make_unique<SshBox>(target_of(plan_), [stop](const std::vector<std::string>& line,
                                                           std::chrono::milliseconds deadline) {
    return host::run_program(line, deadline, stop);
  });
}

Kernel SshDriver::find_kernel(const std::string& name, const KernelCache& /*cache*/) {
  return choose_box_kernel(name, box_releases(*box_));
}

std::string SshDriver::kernel_digest(const Kernel& kernel) {
  const BoxAnswer answer =
      ask_patiently(*box_, {"sha256sum", "--", kernel.image.native()}, patience_, stop_);
  if (answer.reach == Reach::kUnreachable) {
    throw Error(ExitStatus::kEnvironment,
                fmt::format("{}: {}", plan_.host, last_words(answer.errors)));
  }
  return answer.ok() ? answer.output.substr(0, answer.output.find(' ')) : "";
}

void SshDriver::prepare(const DriverSetup& setup) {
  deadlines_ = setup.deadlines;
  const Witness witness = demand_witness(*box_, plan_.host);
  if (demand(*box_, {"id", "-u"}, plan_.host) != "0\n") {
    throw Error(ExitStatus::kEnvironment, fmt::format("{}: not root there", plan_.host),
                fmt::format("rebooting needs it: --host root@{}",
                            plan_.host.substr(plan_.host.find('@') + 1)));
  }
  demand_programs(*box_, plan_);
  base_command_line_ = base_command_line(setup.memory, witness);
  bundle_ = std::make_unique<BoxBundle>(setup.bench_program, tune_host_, scratch_.path());
  bundle_->demand_same(setup.memory);
  bundle_->put_on(*box_);
  notes_ = {fmt::format("unit: ns, on {}, which runs {} (build id {})", plan_.host,
                        witness.boot.release, witness.boot.build_id),
            fmt::format("boots by {}; benchmark in {} on the box", boot_method_text(plan_.boot),
                        bundle_->folder())};
}

DriverMemory SshDriver::memory() const {
  return {{"command_line", base_command_line_}, {BoxBundle::kMemory, bundle_->digest()}};
}

std::string SshDriver::whole_command_line(const BootRequest& request) const {
  return plan_.boot == BootMethod::kKexec ? kexec_command_line(base_command_line_, request.append)
                                          : std::string();
}

std::string SshDriver::command_line(const BootRequest& request) const {
  return host::shell_quoted(ssh_line(
      target_of(plan_), switch_line({plan_, request.kernel, whole_command_line(request)})));
}

std::unique_ptr<Machine> SshDriver::make_machine(const BootRequest& request, std::stop_token stop) {
  BoxBootPlan boot;
  boot.request = request;
  boot.box = plan_;
  boot.wanted = {request.kernel.release, whole_command_line(request)};
  boot.folder = bundle_->folder();
  boot.driver = name();
  boot.deadlines = deadlines_;
  auto box = make_box(stop);
  return std::make_unique<BoxMachine>(std::move(boot), std::move(box), std::move(stop));
}

}  // namespace msgring::boot
