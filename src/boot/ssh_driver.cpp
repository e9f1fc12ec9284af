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

void demand_programs(Box& box, const BoxPlan& plan) {
  std::vector<std::string> programs = {"flock", "setsid", "nohup", "timeout", "sha256sum", "od"};
  for (const std::string& program : switch_programs(plan.boot)) {
    programs.push_back(program);
  }
  if (plan.tune) {
    programs.emplace_back("bash");
  }
  if (const std::string missing = missing_programs(box, programs); !missing.empty()) {
    throw Error(
        ExitStatus::kEnvironment, fmt::format("the box lacks {}", missing),
        "install it there: kexec is in kexec-tools, the others in util-linux and coreutils");
  }
}

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
  const auto witness = parse_witness(demand(*box_, witness_command(), plan_.host));
  if (!witness) {
    throw Error(ExitStatus::kEnvironment, fmt::format("{}: says nothing of its boot", plan_.host),
                "it must be a Linux with /proc mounted");
  }
  if (demand(*box_, {"id", "-u"}, plan_.host) != "0\n") {
    throw Error(ExitStatus::kEnvironment, fmt::format("{}: not root there", plan_.host),
                fmt::format("rebooting needs it: --host root@{}",
                            plan_.host.substr(plan_.host.find('@') + 1)));
  }
  demand_programs(*box_, plan_);
  const auto stored = setup.memory.find("command_line");
  base_command_line_ =
      stored == setup.memory.end() ? base_command_line(witness->command_line) : stored->second;
  bundle_ = std::make_unique<BoxBundle>(setup.bench_program, tune_host_, scratch_.path());
  bundle_->put_on(*box_);
  notes_ = {fmt::format("unit: ns, on {}, which runs {} (build id {})", plan_.host,
                        witness->boot.release, witness->boot.build_id),
            fmt::format("boots by {}; benchmark in {} on the box", boot_method_text(plan_.boot),
                        bundle_->folder())};
}

std::string SshDriver::whole_command_line(const BootRequest& request) const {
  return plan_.boot == BootMethod::kKexec ? kexec_command_line(base_command_line_, request.append)
                                          : std::string();
}

std::string SshDriver::command_line(const BootRequest& request) const {
  std::vector<std::string> command = {std::string(boot_method_text(plan_.boot)),
                                      request.kernel.release};
  if (plan_.boot == BootMethod::kKexec) {
    command = {"kexec", "-a", "-l", request.kernel.image.native(),
               "--command-line=" + whole_command_line(request)};
  }
  return host::shell_quoted(ssh_line(target_of(plan_), command));
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
