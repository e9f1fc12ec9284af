// SPDX-License-Identifier: MIT
// What must hold before this machine may reboot itself, and one machine for each boot.
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cstdlib>

#include "box_bundle.hpp"
#include "local_box.hpp"
#include "local_machine.hpp"
#include "msgring/boot/local.hpp"
#include "msgring/host/process.hpp"

namespace msgring::boot {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHere = "this machine";

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

std::string armed_text(const LocalState& state) {
  return state.armed ? fmt::format("boot {} is armed", state.armed->boot) : "no boot is armed";
}

}  // namespace

bool is_volatile(const fs::path& path) {
  fs::path nearest = fs::absolute(path).lexically_normal();
  struct statfs system {};
  while (::statfs(nearest.c_str(), &system) != 0 && nearest.has_relative_path()) {
    nearest = nearest.parent_path();
  }
  return system.f_type == TMPFS_MAGIC || system.f_type == RAMFS_MAGIC;
}

void demand_conditions(const LocalConditions& conditions) {
  if (!conditions.is_root) {
    throw Error(ExitStatus::kEnvironment, "not root, and --driver local reboots this machine",
                "run it with sudo");
  }
  if (!conditions.has_systemd) {
    throw Error(ExitStatus::kEnvironment,
                "no systemd runs this machine, and nothing else would go on after a reboot",
                "boot it from another machine: --driver ssh");
  }
  if (const auto& run = conditions.under_way) {
    throw Error(ExitStatus::kUsage,
                fmt::format("{}: this run is under way on this machine already, {}",
                            run->folder.native(), armed_text(*run)),
                "msgring status shows it, msgring resume goes on with it, msgring abort ends it");
  }
  for (const auto& [what, path] : conditions.volatile_paths) {
    throw Error(ExitStatus::kUsage,
                fmt::format("{} {}: lies in memory, and a reboot empties it", what, path.native()),
                "take a folder on a disk");
  }
}

LocalDriver::LocalDriver(BoxPlan box, LocalSetup setup, const std::stop_token& stop)
    : BoxDriver(std::move(box), setup.tune_host, std::make_unique<LocalBox>(stop)),
      setup_(std::move(setup)) {}

Kernel LocalDriver::find_kernel(const std::string& name, const KernelCache& cache) {
  // Why nothing can be booted here comes before which kernels could be.
  demand_conditions(conditions({}));
  return BoxDriver::find_kernel(name, cache);
}

LocalConditions LocalDriver::conditions(const fs::path& bench_program) const {
  LocalConditions now;
  now.is_root = ::geteuid() == 0;
  now.has_systemd = is_folder("/run/systemd/system");
  if (setup_.start == LocalStart::kByHand) {
    now.under_way = setup_.store.load();
  }
  for (const auto& [what, path] :
       std::vector<std::pair<std::string, fs::path>>{{"the run's folder", setup_.folder},
                                                     {"the program", setup_.program},
                                                     {"the benchmark", bench_program},
                                                     {"the state's folder", setup_.store.folder()},
                                                     {"the unit's folder", setup_.unit.folder()},
                                                     {"the boot command", plan().boot_command}}) {
    if (!path.empty() && is_volatile(path)) {
      now.volatile_paths.emplace_back(what, path);
    }
  }
  return now;
}

std::string LocalDriver::unit_text(const fs::path& bench_program) const {
  ResumeUnit unit;
  unit.command = {setup_.program.native(), "resume"};
  unit.command.insert(unit.command.end(), setup_.resume_options.begin(),
                      setup_.resume_options.end());
  if (const char* const libraries = std::getenv("LD_LIBRARY_PATH"); libraries != nullptr) {
    unit.library_path = libraries;
  }
  unit.state_file = setup_.store.state_file();
  unit.mounts = {setup_.folder, setup_.program, bench_program};
  return resume_unit_text(unit);
}

void LocalDriver::prepare(const DriverSetup& setup) {
  demand_conditions(conditions(setup.bench_program));
  const Witness witness = demand_witness(box(), kHere);
  bring_benchmark(setup, witness, {"systemctl", "systemd-run"});
  unit_text_ = unit_text(setup.bench_program);
  set_notes({fmt::format("unit: ns, on this machine, which runs {} (build id {})",
                         witness.boot.release, witness.boot.build_id),
             fmt::format("boots by {}; benchmark in {}", boot_method_text(plan().boot),
                         bundle().folder()),
             fmt::format("state in {}; {} runs {} resume after each boot",
                         setup_.store.state_file().native(), setup_.unit.path().native(),
                         setup_.program.native())});
}

unsigned LocalDriver::earlier_losses(const std::string& boot) const {
  const auto state = setup_.store.load();
  if (!state) {
    return 0;
  }
  const auto found = state->lost.find(boot);
  return found == state->lost.end() ? 0 : found->second;
}

std::string LocalDriver::command_line(const BootRequest& request) const {
  return host::shell_quoted(arming_line(request));
}

std::unique_ptr<Machine> LocalDriver::make_machine(const BootRequest& request,
                                                   std::stop_token stop) {
  LocalRecord record{setup_.store, setup_.unit, unit_text_, {}};
  record.fresh.folder = setup_.folder;
  record.fresh.arguments = setup_.arguments;
  auto box = std::make_unique<LocalBox>(stop);
  return std::make_unique<LocalMachine>(boot_plan(request), std::move(record), std::move(box),
                                        std::move(stop));
}

}  // namespace msgring::boot
