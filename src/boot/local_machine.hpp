// SPDX-License-Identifier: MIT
// LocalMachine: one boot of this machine, which ends the process in the middle of it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "box_machine.hpp"
#include "msgring/boot/local_state.hpp"
#include "msgring/boot/resume_unit.hpp"

namespace msgring::boot {

/// What arming a boot writes down.
struct LocalRecord {
  LocalStore store;
  ResumeUnitFile unit;
  std::string unit_text;
  LocalState fresh;  ///< the state that a run begins with
};

/// boot() throws Rebooting unless the state says that just this boot was armed: then this is it, or
/// not. Every lost try is written down before its BootFailure leaves.
class LocalMachine : public BoxMachine {
 public:
  LocalMachine(BoxBootPlan plan, LocalRecord record, std::unique_ptr<Box> box,
               std::stop_token stop);

  void boot(BootObserver& observer) override;
  void run(BootObserver& observer) override;
  BootResult fetch(BootObserver& observer) override;

 private:
  void counting_losses(const std::function<void()>& step);
  void arrive(const ArmedBoot& armed, const Witness& now);
  [[noreturn]] void arm(const Witness& now);

  LocalRecord record_;
};

}  // namespace msgring::boot
