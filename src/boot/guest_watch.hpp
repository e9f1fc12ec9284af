// SPDX-License-Identifier: MIT
// GuestWatch: decides from frames, console and process what state a guest is in. Knows no clock, no
// file and no process, so that every outcome can be played to it.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "msgring/boot/driver.hpp"
#include "msgring/boot/frame.hpp"
#include "msgring/host/process.hpp"

namespace msgring::boot {

class GuestWatch {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  GuestWatch(std::string run_id, Deadlines deadlines, TimePoint start);

  void on_results(std::string_view bytes, TimePoint now);
  void on_console(std::string_view bytes, TimePoint now);
  /// The emulator is gone, and every byte it wrote has been handed over; `errors` is what it said.
  void on_end(const host::ProcessEnd& end, std::string_view errors);

  BootPhase phase() const noexcept { return phase_; }
  /// The result is whole and good: what remains is power-off.
  bool has_result() const noexcept { return reader_.state() == StreamState::kComplete; }
  bool has_ended() const noexcept { return ended_; }

  /// Why this boot has failed; nothing while it has not.
  std::optional<BootFailure> failure(TimePoint now) const;

  const std::string& point_text() const noexcept { return point_text_; }
  std::vector<Frame> take_additions() { return std::move(additions_); }
  std::vector<std::string> take_logs();
  std::vector<std::string> console_tail() const;

 private:
  void take(Frame frame, TimePoint now);
  void enter(BootPhase phase, TimePoint now);
  BootFailure make_failure(Outcome outcome, const std::string& why) const;
  std::optional<BootFailure> failure_at_end() const;
  std::optional<BootFailure> failure_at_deadline(TimePoint now) const;
  std::string fatal_line() const;

  Deadlines deadlines_;
  FrameReader reader_;
  BootPhase phase_ = BootPhase::kBoot;
  TimePoint phase_start_;
  TimePoint last_life_;
  std::string console_;
  std::string point_text_;
  std::string bench_error_;
  std::vector<Frame> additions_;
  std::vector<std::string> logs_;
  bool ended_ = false;
  host::ProcessEnd end_;
  std::string emulator_errors_;
};

}  // namespace msgring::boot
