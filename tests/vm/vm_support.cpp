// SPDX-License-Identifier: MIT
// Preparing drivers and requests for tests.
#include "vm_support.hpp"

#include <fmt/format.h>

#include <fstream>

namespace msgring::boot {

namespace fs = std::filesystem;

std::optional<Kernel> cached_kernel(std::string_view prefix) {
  return KernelCache().newest(prefix);
}

std::string missing_for(std::string_view prefix) {
  try {
    probe_qemu();
  } catch (const Error& error) {
    return msgring::describe(error);
  }
  return cached_kernel(prefix)
             ? std::string()
             : fmt::format("no kernel {} in the cache: scripts/fetch-kernel {}", prefix, prefix);
}

std::vector<pid_t> own_children() {
  std::vector<pid_t> children;
  for (const auto& task : fs::directory_iterator("/proc/self/task")) {
    std::ifstream list(task.path() / "children");
    for (pid_t pid = 0; list >> pid;) {
      children.push_back(pid);
    }
  }
  return children;
}

ProbeDriver::ProbeDriver(Kernel kernel, Deadlines deadlines) : kernel_(std::move(kernel)) {
  DriverSetup setup;
  setup.bench_program = fs::path(MSGRING_BUILD_DIR) / "tests" / "guest_probe";
  setup.kernels = {kernel_};
  setup.deadlines = deadlines;
  driver_.prepare(setup);
}

BootRequest ProbeDriver::request(std::vector<std::string> arguments, std::string append) const {
  BootRequest request;
  request.name = fmt::format("boot-{}", ++requests_);
  request.seed = 1;
  request.kernel = kernel_;
  request.arguments = std::move(arguments);
  request.append = std::move(append);
  request.scratch = folder_.path() / request.name;
  request.console_log = request.scratch / "console.log";
  fs::create_directories(request.scratch);
  return request;
}

ProbeBoot ProbeDriver::boot(const BootRequest& request, std::stop_token stop) {
  RecordingObserver observer;
  ProbeBoot boot;
  try {
    const auto machine = driver_.make_machine(request, std::move(stop));
    machine->boot(observer);
    machine->run(observer);
    boot.result = machine->fetch(observer);
  } catch (const BootFailure& failure) {
    boot.failure = failure;
  }
  return boot;
}

}  // namespace msgring::boot
