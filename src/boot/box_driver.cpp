// SPDX-License-Identifier: MIT
#include "msgring/boot/box_driver.hpp"

#include "box_bundle.hpp"
#include "box_kernels.hpp"
#include "box_machine.hpp"

namespace msgring::boot {

BoxDriver::BoxDriver(BoxPlan plan, std::filesystem::path tune_host, std::unique_ptr<Box> box)
    : plan_(std::move(plan)), tune_host_(std::move(tune_host)), box_(std::move(box)) {}

BoxDriver::~BoxDriver() = default;

Kernel BoxDriver::find_kernel(const std::string& name, const KernelCache& /*cache*/) {
  return choose_box_kernel(name, box_releases(*box_));
}

void BoxDriver::bring_benchmark(const DriverSetup& setup, const Witness& witness,
                                const std::vector<std::string>& more_programs) {
  deadlines_ = setup.deadlines;
  demand_programs(*box_, plan_, more_programs);
  base_command_line_ = base_command_line(setup.memory, witness);
  bundle_ = std::make_unique<BoxBundle>(setup.bench_program, tune_host_, scratch_.path());
  bundle_->demand_same(setup.memory);
  bundle_->put_on(*box_);
}

DriverMemory BoxDriver::memory() const {
  return {{"command_line", base_command_line_}, {BoxBundle::kMemory, bundle_->digest()}};
}

std::string BoxDriver::whole_command_line(const BootRequest& request) const {
  return plan_.boot == BootMethod::kKexec ? kexec_command_line(base_command_line_, request.append)
                                          : std::string();
}

BoxBootPlan BoxDriver::boot_plan(const BootRequest& request) const {
  BoxBootPlan boot;
  boot.request = request;
  boot.box = plan_;
  boot.wanted = {request.kernel.release, whole_command_line(request)};
  boot.folder = bundle_->folder();
  boot.driver = name();
  boot.deadlines = deadlines_;
  return boot;
}

std::vector<std::string> BoxDriver::arming_line(const BootRequest& request) const {
  return switch_line({plan_, request.kernel, whole_command_line(request)});
}

}  // namespace msgring::boot
