// SPDX-License-Identifier: MIT
// A guest's /init for tests: tells what it sees of its machine, or fails in the way it is told.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "msgring/boot/guest.hpp"
#include "msgring/error.hpp"
#include "msgring/host/clock.hpp"

namespace {

using namespace msgring;

std::string read_text(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Ticks of work that enters the kernel often: what repeats exactly under icount, or does not.
std::uint64_t work_ticks() {
  const std::uint64_t start = host::read_clock(host::ClockKind::kTsc);
  for (int i = 0; i < 2000; ++i) {
    const int memory = ::memfd_create("probe", 0);
    const ssize_t written = ::write(memory, "probe", 5);
    static_cast<void>(written);
    ::close(memory);
  }
  return host::read_clock(host::ClockKind::kTsc) - start;
}

std::string facts(const boot::Guest& guest) {
  nlohmann::json facts;
  facts["boot_id"] = read_text("/proc/sys/kernel/random/boot_id");
  facts["stat"] = read_text("/proc/stat");
  facts["uptime"] = read_text("/proc/uptime");
  facts["version"] = read_text("/proc/version");
  facts["cmdline"] = read_text("/proc/cmdline");
  facts["limits"] = read_text("/proc/self/limits");
  facts["mounts"] = read_text("/proc/mounts");
  facts["arguments"] = guest.arguments();
  for (int round = 0; round < 8; ++round) {
    facts["ticks"].push_back(work_ticks());
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return facts.dump();
}

void fail_as_told(boot::Guest& guest, const std::string& fault) {
  if (fault == "error") {
    throw Error(ExitStatus::kEnvironment, "io_uring_setup: EPERM", "allow it");
  }
  if (fault == "panic") {
    std::ofstream("/proc/sysrq-trigger") << "c" << std::flush;
  } else if (fault == "crash") {
    __builtin_trap();  // a sent signal would not end init
  } else if (fault == "hang") {
    for (;;) {
      ::pause();
    }
  } else if (fault == "busy") {
    for (;;) {
      guest.send(boot::FrameKind::kLog, "still at it");
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
  }
}

std::string probe(boot::Guest& guest) {
  guest.status(boot::GuestPhase::kSettled);
  guest.status(boot::GuestPhase::kMeasuring);
  guest.send(boot::FrameKind::kLog, "probing");
  const auto& arguments = guest.arguments();
  if (arguments.size() == 2 && arguments[0] == "--fault") {
    fail_as_told(guest, arguments[1]);
  }
  std::string text = facts(guest);
  guest.status(boot::GuestPhase::kDone);
  return text;
}

}  // namespace

int main() {
  if (!msgring::boot::is_guest_init()) {
    return 2;
  }
  msgring::boot::run_guest(probe);
}
