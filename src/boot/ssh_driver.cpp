// SPDX-License-Identifier: MIT
// Preparing a box, and one machine for each of its boots.
#include <fmt/format.h>

#include "box_bundle.hpp"
#include "box_machine.hpp"
#include "msgring/boot/ssh.hpp"
#include "ssh_box.hpp"

namespace msgring::boot {
namespace {

SshTarget target_of(const BoxPlan& plan) { return {plan.host, plan.ssh_config}; }

std::unique_ptr<Box> make_box(const BoxPlan& plan, std::stop_token stop) {
  return std::make_unique<SshBox>(
      target_of(plan),
      [](const std::vector<std::string>& line, std::chrono::milliseconds deadline,
         const std::stop_token& now) { return host::run_program(line, deadline, now); },
      std::move(stop));
}

}  // namespace

SshDriver::SshDriver(const BoxPlan& box, std::filesystem::path tune_host,
                     std::chrono::seconds patience, std::stop_token stop)
    : BoxDriver(box, std::move(tune_host), make_box(box, stop)),
      patience_(patience),
      stop_(std::move(stop)) {}

std::string SshDriver::kernel_digest(const Kernel& kernel) {
  const BoxAnswer answer =
      ask_patiently(box(), {"sha256sum", "--", kernel.image.native()}, patience_, stop_);
  if (answer.reach == Reach::kUnreachable) {
    throw Error(ExitStatus::kEnvironment,
                fmt::format("{}: {}", plan().host, last_words(answer.errors)));
  }
  return answer.ok() ? answer.output.substr(0, answer.output.find(' ')) : "";
}

void SshDriver::prepare(const DriverSetup& setup) {
  const std::string& host = plan().host;
  const Witness witness = demand_witness(box(), host);
  if (demand(box(), {"id", "-u"}, host) != "0\n") {
    throw Error(ExitStatus::kEnvironment, fmt::format("{}: not root there", host),
                fmt::format("rebooting needs it: --host root@{}", host.substr(host.find('@') + 1)));
  }
  bring_benchmark(setup, witness);
  set_notes({fmt::format("unit: ns, on {}, which runs {} (build id {})", host, witness.boot.release,
                         witness.boot.build_id),
             fmt::format("boots by {}; benchmark in {} on the box", boot_method_text(plan().boot),
                         bundle().folder())});
}

std::string SshDriver::command_line(const BootRequest& request) const {
  return host::shell_quoted(ssh_line(target_of(plan()), arming_line(request)));
}

std::unique_ptr<Machine> SshDriver::make_machine(const BootRequest& request, std::stop_token stop) {
  auto box = make_box(plan(), stop);
  return std::make_unique<BoxMachine>(boot_plan(request), std::move(box), std::move(stop));
}

}  // namespace msgring::boot
