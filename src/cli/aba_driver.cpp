// SPDX-License-Identifier: MIT
#include "cli/aba_driver.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "cli/aba_local.hpp"
#include "msgring/boot/qemu.hpp"
#include "msgring/boot/ssh.hpp"
#include "msgring/error.hpp"

namespace msgring::cli {
namespace {

namespace fs = std::filesystem;

/// scripts/tune-host of the source tree in which this program was built: build/<preset>/msgring.
fs::path tune_host() {
  const fs::path program = fs::read_symlink("/proc/self/exe");
  fs::path script = program.parent_path().parent_path().parent_path() / "scripts" / "tune-host";
  std::error_code ignored;
  if (!fs::is_regular_file(script, ignored)) {
    throw Error(ExitStatus::kUsage, fmt::format("--tune: no {}", script.native()),
                "run the msgring of a source tree, or tune the machine yourself");
  }
  return script;
}

}  // namespace

std::unique_ptr<boot::Driver> make_driver(const AbaOptions& options, const boot::Plan& plan,
                                          const boot::RunSetup& setup, boot::LocalStart start,
                                          const std::stop_token& stop) {
  const fs::path script = plan.box.tune ? tune_host() : fs::path();
  if (plan.driver == boot::DriverKind::kSsh) {
    return std::make_unique<boot::SshDriver>(plan.box, script, plan.deadlines.boot, stop);
  }
  if (plan.driver == boot::DriverKind::kLocal) {
    boot::LocalSetup local = local_setup(options, setup, start);
    local.tune_host = script;
    return std::make_unique<boot::LocalDriver>(plan.box, std::move(local), stop);
  }
  return std::make_unique<boot::QemuDriver>(plan.unit, stop, setup.emulator);
}

}  // namespace msgring::cli
