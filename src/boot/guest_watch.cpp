// SPDX-License-Identifier: MIT
// From signs of life to outcomes.
#include "guest_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

#include "console_text.hpp"
#include "msgring/boot/guest.hpp"

namespace msgring::boot {

GuestWatch::GuestWatch(std::string run_id, Deadlines deadlines, TimePoint start)
    : deadlines_(deadlines), reader_(std::move(run_id)), phase_start_(start), last_life_(start) {}

void GuestWatch::enter(BootPhase phase, TimePoint now) {
  if (phase != phase_) {
    phase_ = phase;
    phase_start_ = now;
  }
}

void GuestWatch::on_results(std::string_view bytes, TimePoint now) {
  if (bytes.empty()) {
    return;
  }
  last_life_ = now;
  reader_.feed(bytes);
  while (auto frame = reader_.next()) {
    take(std::move(*frame), now);
  }
}

void GuestWatch::take(Frame frame, TimePoint now) {
  switch (frame.kind) {
    case FrameKind::kStatus:
      enter(frame.payload == phase_text(GuestPhase::kBooted) ? BootPhase::kSettle
                                                             : BootPhase::kMeasure,
            now);
      break;
    case FrameKind::kLog:
      logs_.push_back(std::move(frame.payload));
      break;
    case FrameKind::kPoint:
      point_text_ = std::move(frame.payload);
      break;
    case FrameKind::kError:
      bench_error_ = std::move(frame.payload);
      break;
    case FrameKind::kEnd:
      enter(BootPhase::kPowerOff, now);
      break;
    case FrameKind::kKallsyms:
    case FrameKind::kProfile:
    case FrameKind::kTrace:
      additions_.push_back(std::move(frame));
      break;
  }
}

void GuestWatch::on_console(std::string_view bytes, TimePoint now) {
  if (!bytes.empty()) {
    last_life_ = now;
    console_ += bytes;
  }
}

void GuestWatch::on_end(const host::ProcessEnd& end, std::string_view errors) {
  ended_ = true;
  end_ = end;
  emulator_errors_ = last_line(errors);
}

std::vector<std::string> GuestWatch::take_logs() { return std::exchange(logs_, {}); }

std::vector<std::string> GuestWatch::console_tail() const { return boot::console_tail(console_); }

BootFailure GuestWatch::make_failure(Outcome outcome, const std::string& why) const {
  return {outcome, why, console_tail()};
}

std::optional<BootFailure> GuestWatch::failure(TimePoint now) const {
  if (!bench_error_.empty() && has_result()) {
    return make_failure(Outcome::kBenchFailed, bench_error_);
  }
  if (has_result() && point_text_.empty()) {
    return make_failure(Outcome::kResultDamaged, "the guest ended without a point");
  }
  if (has_result()) {
    return std::nullopt;  // what power-off does to it no longer matters
  }
  if (const std::string line = fatal_console_line(console_); ended_ && !line.empty()) {
    return make_failure(Outcome::kGuestPanic, line);
  }
  if (reader_.state() == StreamState::kDamaged) {
    return make_failure(Outcome::kResultDamaged, reader_.trouble());
  }
  return ended_ ? failure_at_end() : failure_at_deadline(now);
}

std::optional<BootFailure> GuestWatch::failure_at_end() const {
  const std::size_t no_port = console_.find(kNoPortText);
  if (no_port != std::string::npos) {
    return make_failure(
        Outcome::kNoBoot,
        console_.substr(no_port, console_.find_first_of("\r\n", no_port) - no_port));
  }
  const std::string how =
      fmt::format("the emulator ended with {} in phase {}{}{}", describe(end_), phase_text(phase_),
                  emulator_errors_.empty() ? "" : ": ", emulator_errors_);
  if (!end_.ok()) {
    return make_failure(Outcome::kDriverFailed, how);
  }
  if (phase_ == BootPhase::kBoot) {
    return make_failure(Outcome::kNoBoot, how);
  }
  return make_failure(Outcome::kResultDamaged, fmt::format("{}; {}", reader_.trouble(), how));
}

std::optional<BootFailure> GuestWatch::failure_at_deadline(TimePoint now) const {
  const std::chrono::seconds deadline = deadlines_.of(phase_);
  if (now - phase_start_ <= deadline) {
    return std::nullopt;
  }
  const std::string fatal = fatal_console_line(console_);
  if (!fatal.empty()) {
    return make_failure(Outcome::kGuestPanic, fatal);
  }
  const std::string why =
      fmt::format("phase {} did not end within {} s", phase_text(phase_), deadline.count());
  if (phase_ == BootPhase::kBoot) {
    return make_failure(Outcome::kNoBoot, why);
  }
  // A sign of life in the phase's later half: slow, not stuck.
  const bool lived = now - last_life_ < deadline / 2;
  return make_failure(lived ? Outcome::kTimeout : Outcome::kGuestHang,
                      lived ? why : why + ", without any sign of life");
}

}  // namespace msgring::boot
