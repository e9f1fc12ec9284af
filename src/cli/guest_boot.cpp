// SPDX-License-Identifier: MIT
#include "cli/guest_boot.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <system_error>

#include "msgring/boot/qemu.hpp"
#include "msgring/error.hpp"

namespace msgring::cli {
namespace {

namespace fs = std::filesystem;

class SilentObserver : public boot::BootObserver {
 public:
  void on_phase(boot::BootPhase /*phase*/) override {}
  void on_log(std::string_view /*line*/) override {}
};

}  // namespace

boot::BootResult run_guest_boot(const GuestBoot& guest, const std::stop_token& stop) {
  boot::QemuDriver driver(boot::UnitChoice::kInstructions, stop, guest.qemu);
  boot::DriverSetup setup;
  setup.bench_program = guest.program;
  setup.kernels = {guest.target.kernel};
  driver.prepare(setup);
  boot::BootRequest request;
  request.name = "guest";
  request.seed = guest.seed;
  request.kernel = guest.target.kernel;
  request.append = guest.target.append;
  request.arguments = guest.arguments;
  request.emulator_arguments = guest.emulator_arguments;
  request.console_log = guest.scratch / "console.log";
  request.scratch = guest.scratch;
  SilentObserver observer;
  const std::unique_ptr<boot::Machine> machine = driver.make_machine(request, stop);
  machine->boot(observer);
  machine->run(observer);
  return machine->fetch(observer);
}

fs::path program_beside(const std::string& name) {
  fs::path program = fs::read_symlink("/proc/self/exe").parent_path() / name;
  std::error_code ignored;
  if (!fs::is_regular_file(program, ignored)) {
    throw Error(ExitStatus::kUsage, fmt::format("{}: no such program", program.native()),
                fmt::format("build it: scripts/build release {}", name));
  }
  return program;
}

std::vector<BootTarget> resolve_kernels(const std::vector<std::string>& names,
                                        const boot::KernelCache& cache, bool fetch,
                                        const std::string& who, const std::stop_token& stop) {
  const auto tell = [&](std::string_view line) { fmt::print(stderr, "{}: {}\n", who, line); };
  boot::KernelFetcher fetcher(cache, tell, stop);
  bool updated = false;
  std::vector<BootTarget> targets;
  for (const std::string& name : names) {
    if (fetch && name.find('/') == std::string::npos && !cache.newest(name)) {
      if (!updated) {
        fetcher.update();
        updated = true;
      }
      fetcher.fetch(name);
    }
    targets.push_back({cache.resolve(name), ""});
  }
  return targets;
}

}  // namespace msgring::cli
