// SPDX-License-Identifier: MIT
// A box that only pretends: it answers the driver's commands from a script.
#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "boot/box.hpp"
#include "boot/box_machine.hpp"
#include "msgring/boot/driver.hpp"

namespace msgring::boot {

constexpr std::string_view kCommandLine = "ro msgring.boot=kexec";

/// A boot_id made of one digit.
std::string id_of(char digit);
/// What the witness script prints in that boot; each begins 100 s after the one before, and is
/// looked at when it is half a second old.
std::string witness_text(char id, std::string_view release, std::string_view command_line);
/// A point that was measured in that boot.
std::string point_text(char id, std::string_view release);

BoxAnswer says(std::string text);
BoxAnswer away();
/// What the fetching script prints.
BoxAnswer sent(const std::string& text);

/// What the box does, step by step; each kind of command takes its next answer, the last one stays.
struct BoxScript {
  std::deque<BoxAnswer> witnesses;
  std::deque<BoxAnswer> loads = {{Reach::kAnswered, 0, "", ""}};
  std::deque<BoxAnswer> waits;
  std::deque<BoxAnswer> fetches;
  BoxAnswer reboot;
  std::function<void()> on_load = [] {};  ///< called when a kernel is loaded
  std::function<void()> on_wait = [] {};  ///< called when the benchmark is waited for
  std::vector<std::string> starts;        ///< the run's folder of each
  unsigned reboots = 0;
  unsigned removals = 0;
  std::stop_token stop;               ///< of the run
  std::vector<std::string> controls;  ///< what tune-host was told
};

/// A boot of the pretended box by kexec into 7.1.3, in a second at most.
BoxBootPlan pretended_boot(std::string_view driver, const std::filesystem::path& console_log);

class PretendedBox : public Box {
 public:
  explicit PretendedBox(BoxScript& script) : script_(script) {}
  BoxAnswer run(const std::vector<std::string>& command, std::chrono::seconds deadline) override;
  void ignore_stop() override { script_.stop = {}; }
  BoxAnswer copy(const std::filesystem::path& folder, const std::string& to,
                 std::chrono::seconds deadline) override;

 private:
  BoxScript& script_;
};

class Quiet : public BootObserver {
 public:
  void on_phase(BootPhase) override {}
  void on_log(std::string_view) override {}
};

}  // namespace msgring::boot
