// SPDX-License-Identifier: MIT
// Sending frames, and the order of a guest's life.
#include "msgring/boot/guest.hpp"

#include <fmt/format.h>
#include <sys/reboot.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <exception>

#include "guest_machine.hpp"
#include "msgring/error.hpp"
#include "msgring/host/whole_file.hpp"

namespace msgring::boot {
namespace {

[[noreturn]] void power_off() noexcept {
  ::sync();
  ::reboot(RB_POWER_OFF);
  // A kernel that cannot power off comes back; init must not end, the host will end the machine.
  for (;;) {
    ::pause();
  }
}

void report_error(Guest& guest, const std::exception& error) {
  guest.send(FrameKind::kError, describe(error));
  guest.finish();
}

void run_job(Guest& guest, const GuestJob& job) {
  try {
    guest.status(GuestPhase::kBooted);
    const std::string point = job(guest);
    guest.send(FrameKind::kPoint, point);
    guest.finish();
  } catch (const std::exception& error) {
    report_error(guest, error);
  }
}

}  // namespace

std::string_view phase_text(GuestPhase phase) {
  switch (phase) {
    case GuestPhase::kBooted:
      return "booted";
    case GuestPhase::kSettled:
      return "settled";
    case GuestPhase::kMeasuring:
      return "measuring";
    case GuestPhase::kDone:
      break;
  }
  return "done";
}

void Guest::send(FrameKind kind, std::string_view payload) {
  std::string bytes = encode_frame({kind, config_.run_id, std::string(payload)});
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const ssize_t count = ::write(port_.get(), rest.data(), rest.size());
    if (count < 0 && errno != EINTR) {
      throw_system_error(errno, "write", "result port");
    }
    if (count > 0) {
      rest.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  ++frames_;
}

void Guest::finish() {
  send(FrameKind::kEnd, std::to_string(frames_));
  // A serial line still holds bytes; on a virtio port this is EINVAL or ENOTTY, and not needed.
  ::tcdrain(port_.get());
}

bool is_guest_init() { return ::getpid() == 1 && has_guest_config(); }

void run_guest(const GuestJob& job) {
  try {
    mount_guest_folders();
    raise_guest_limits();
    Guest guest(read_guest_config(), open_result_port());
    run_job(guest, job);
  } catch (const std::exception& error) {
    // No port, so only the console is left.
    const std::string line = fmt::format("{}: {}\n", kNoPortText, describe(error));
    static_cast<void>(std::fputs(line.c_str(), stderr));
  }
  power_off();
}

}  // namespace msgring::boot
