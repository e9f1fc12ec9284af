// SPDX-License-Identifier: MIT
// BoxMachine: one boot of a real machine, from the reboot to the point.
#pragma once

#include <memory>
#include <optional>

#include "boot_switch.hpp"
#include "box.hpp"
#include "box_witness.hpp"
#include "msgring/boot/driver.hpp"

namespace msgring::boot {

/// What one boot of a box is to be.
struct BoxBootPlan {
  BootRequest request;
  BoxPlan box;
  WantedKernel wanted;
  std::string folder;  ///< on the box: the benchmark's
  std::string driver;  ///< the driver's name, for the point
  Deadlines deadlines;
  std::chrono::milliseconds look_interval{2000};
};

/// Reboots the box, proves which boot it is in, and measures there.
///
/// The benchmark runs on the box by itself and outlives any connection; meanwhile one connection
/// waits for a file lock, without a wake-up on the box, and is made again when it was cut. A box
/// that comes up with another kernel ends the whole run: RunOver (kEnvironment), nothing is stored;
/// unless a kexec was asked for and the firmware has booted it: that is a lost boot.
class BoxMachine : public Machine {
 public:
  BoxMachine(BoxBootPlan plan, std::unique_ptr<Box> box, std::stop_token stop);
  ~BoxMachine() override;
  BoxMachine(const BoxMachine&) = delete;
  BoxMachine& operator=(const BoxMachine&) = delete;

  void boot(BootObserver& observer) override;
  void run(BootObserver& observer) override;
  BootResult fetch(BootObserver& observer) override;

 protected:
  using Clock = std::chrono::steady_clock;

  const BoxBootPlan& plan() const noexcept { return plan_; }
  Box& box() noexcept { return *box_; }
  const std::stop_token& stop() const noexcept { return stop_; }

  Witness wait_for_box(Clock::time_point deadline);
  /// Takes `now` as the boot to measure in. `elapsed`: since `before` was read. Throws RunOver when
  /// it is not fresh or of another kernel, BootFailure when the kernel asked for never came to it.
  void accept(const Witness& before, const Witness& now, std::chrono::duration<double> elapsed);
  /// Adds a line to the console log.
  void note(const std::string& line) const;
  /// The same for a line that has its time already.
  void note_as_written(const std::string& line) const;
  [[noreturn]] void fail(Outcome outcome, const std::string& why) const;

 private:
  std::optional<Witness> look();
  void wait_for_fresh_boot(const Witness& before, Clock::time_point since);
  void pause() const;
  void start_benchmark();
  void wait_for_benchmark();
  bool understand(const BoxAnswer& answer);
  void judge_status(const std::string& status);
  std::string fetch_point();
  void check_point(const std::string& text) const;
  void set_controls(std::string_view action);
  std::string run_folder() const;

  BoxBootPlan plan_;
  std::unique_ptr<Box> box_;
  std::stop_token stop_;
  std::optional<Witness> boot_;  ///< the proved one
  std::string proof_;
  std::string words_;  ///< what the box, or the way to it, said last
  std::vector<std::string> tail_;
  unsigned unfinished_ = 0;
  bool is_tuned_ = false;
};

}  // namespace msgring::boot
