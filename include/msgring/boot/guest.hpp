// SPDX-License-Identifier: MIT
// The guest's side: what the benchmark does when it is the whole user space of a fresh boot.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "msgring/boot/frame.hpp"
#include "msgring/host/fd.hpp"

namespace msgring::boot {

/// How far a guest is. Each is reported once, in this order, with a status frame.
enum class GuestPhase {
  kBooted,     ///< user space runs and the result port is open
  kSettled,    ///< the machine is idle
  kMeasuring,  ///< the first round begins
  kDone,       ///< the last round has ended
};

/// "booted", "settled", "measuring", "done".
std::string_view phase_text(GuestPhase phase);

/// The name of the virtio-serial port that results leave by.
constexpr std::string_view kResultPortName = "msgring.results";
/// The result port of a kernel without virtio: the second serial port, if QEMU's line has one.
constexpr std::string_view kSerialResultPort = "/dev/ttyS1";
/// What the console says when neither is there. The driver looks for it.
constexpr std::string_view kNoPortText = "msgring-guest: no result port";

/// A word before the benchmark's arguments: the guest also sends its kernel's text
/// symbols, once it has measured.
constexpr std::string_view kSendSymbols = "--guest-symbols";

/// What a guest is told. It comes with the initramfs, so that the kernel's command line stays the
/// kernel's own, and it is the same for every boot that must count the same instructions.
struct GuestConfig {
  std::string run_id;
  std::vector<std::string> arguments;  ///< the benchmark's, without its name; no line ends
};

/// Where in the initramfs it stands.
constexpr std::string_view kGuestConfigName = "msgring.guest";

/// Text of lines "run_id X" and "argument X". Throws Error (kUsage) for a line end in an argument.
std::string encode_guest_config(const GuestConfig& config);
/// Throws Error (kInvalid) for what encode_guest_config() does not write.
GuestConfig parse_guest_config(std::string_view text);

/// The job's view of its guest.
class Guest {
 public:
  Guest(GuestConfig config, host::FileDescriptor port)
      : config_(std::move(config)), port_(std::move(port)) {}

  const std::vector<std::string>& arguments() const noexcept { return config_.arguments; }

  /// Untimed work only: sending costs the guest instructions.
  void status(GuestPhase phase) { send(FrameKind::kStatus, phase_text(phase)); }
  void send(FrameKind kind, std::string_view payload);
  /// The last frame. Nothing may be sent after it.
  void finish();

 private:
  GuestConfig config_;
  host::FileDescriptor port_;
  std::size_t frames_ = 0;
};

/// Is this process the user space of a fresh boot?
bool is_guest_init();

/// Measures, and returns the text of the point file. Must call `status` for kSettled and what
/// follows. An exception becomes an error frame.
using GuestJob = std::function<std::string(Guest&)>;

/// Mounts, raises limits, opens the port, runs `job`, sends its point, powers the machine off.
/// Only for a process for which is_guest_init() holds. Never throws.
[[noreturn]] void run_guest(const GuestJob& job);

}  // namespace msgring::boot
