// SPDX-License-Identifier: MIT
// Before the reboot and after it.
#include "local_machine.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "msgring/boot/local.hpp"

namespace msgring::boot {
namespace {

/// How long ago the boot was armed. A machine whose clock a reboot sets back has another witness:
/// the uptime begins anew.
std::chrono::duration<double> since_armed(const ArmedBoot& armed) {
  using Duration = std::chrono::duration<double>;
  constexpr Duration kSlack(10);
  const Duration by_clock(static_cast<double>(std::time(nullptr) - armed.at_s));
  return std::max(by_clock, Duration(armed.before.uptime_s.value_or(0)) - kSlack);
}

}  // namespace

LocalMachine::LocalMachine(BoxBootPlan plan, LocalRecord record, std::unique_ptr<Box> box,
                           std::stop_token stop)
    : BoxMachine(std::move(plan), std::move(box), std::move(stop)), record_(std::move(record)) {}

void LocalMachine::counting_losses(const std::function<void()>& step) {
  try {
    step();
  } catch (const BootFailure& failure) {
    record_.store.lose(plan().request.name, failure.what());
    throw;
  }
}

void LocalMachine::boot(BootObserver& observer) {
  observer.on_phase(BootPhase::kBoot);
  counting_losses([this] {
    const Witness now = wait_for_box(Clock::now() + plan().deadlines.boot);
    const std::optional<LocalState> state = record_.store.load();
    if (!state || !state->armed || state->armed->boot != plan().request.name) {
      arm(now);
    }
    arrive(*state->armed, now);
  });
}

void LocalMachine::arm(const Witness& now) {
  ArmedBoot armed;
  armed.boot = plan().request.name;
  armed.release = plan().wanted.release;
  armed.method = boot_method_text(plan().box.boot);
  armed.before = now.boot;
  armed.at_s = std::time(nullptr);
  const std::string at = fmt::format("{:%FT%TZ}", fmt::gmtime(armed.at_s));
  armed.notes = {fmt::format("{} before: {} ({}), boot_id {}", at, now.boot.release,
                             now.boot.build_id, now.boot.boot_id),
                 fmt::format("{} told to boot {} by {}", at, armed.release, armed.method)};
  record_.store.arm(record_.store.load().value_or(record_.fresh), armed);
  record_.unit.install(record_.unit_text);
  switch_kernel(box(), {plan().box, plan().request.kernel, plan().wanted.command_line}, stop());
  throw Rebooting(fmt::format("this machine now boots {} for {}, and {} goes on", armed.release,
                              armed.boot, kResumeUnit));
}

void LocalMachine::arrive(const ArmedBoot& armed, const Witness& now) {
  for (const std::string& line : armed.notes) {
    note_as_written(line);
  }
  if (!armed.measuring_in.empty()) {
    if (armed.measuring_in == now.boot.boot_id) {
      fail(Outcome::kDriverFailed, "msgring was ended while it measured in this boot");
    }
    fail(Outcome::kRestarted,
         fmt::format("this machine left the boot in which it measured: boot_id {} -> {}, now {}",
                     armed.measuring_in, now.boot.boot_id, now.boot.release));
  }
  const Witness before{armed.before, {}};
  const std::chrono::duration<double> elapsed = since_armed(armed);
  if (judge_arrival(before, now, elapsed) == Arrival::kOldBoot) {
    fail(Outcome::kNoBoot,
         fmt::format("this machine is still in its old boot {:.0f} s after it was told to boot {}; "
                     "it holds {}",
                     elapsed.count(), armed.release, loader_state(box())));
  }
  accept(before, now, elapsed);
  record_.store.measure(now.boot.boot_id);
}

void LocalMachine::run(BootObserver& observer) {
  counting_losses([&] { BoxMachine::run(observer); });
}

BootResult LocalMachine::fetch(BootObserver& observer) {
  BootResult result;
  counting_losses([&] { result = BoxMachine::fetch(observer); });
  return result;
}

}  // namespace msgring::boot
