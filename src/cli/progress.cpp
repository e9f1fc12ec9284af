// SPDX-License-Identifier: MIT
// One line on standard error.
#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace msgring::cli {
namespace {

using std::chrono::seconds;

constexpr const char* kEraseLine = "\r\x1B[K";

}  // namespace

Progress::Progress(std::size_t total, std::size_t done, std::map<char, std::string> kernels,
                   std::string who)
    : total_(total),
      done_before_(done),
      done_(done),
      kernels_(std::move(kernels)),
      who_(std::move(who)),
      on_terminal_(::isatty(STDERR_FILENO) == 1) {
  if (on_terminal_) {
    drawer_ = std::jthread([this](const std::stop_token& end) {
      while (!end.stop_requested()) {
        draw();
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
      }
    });
  }
}

Progress::~Progress() {
  if (drawer_.joinable()) {
    drawer_.request_stop();
    drawer_.join();
    erase();
  }
}

std::string Progress::line(seconds elapsed) const {
  const std::scoped_lock lock(mutex_);
  std::string text = fmt::format("[{}/{}]", done_, total_);
  for (const auto& [name, active] : active_) {
    const auto kernel = kernels_.find(active.role);
    text += fmt::format(" {} {}: {};", name, kernel == kernels_.end() ? "" : kernel->second,
                        active.text);
  }
  text += fmt::format(" {} s", elapsed.count());
  if (const std::size_t measured = done_ - done_before_; measured > 0) {
    const auto due = static_cast<std::int64_t>(total_ - done_before_);
    text +=
        fmt::format(" of about {} s", elapsed.count() * due / static_cast<std::int64_t>(measured));
  }
  return text;
}

void Progress::draw() {
  const auto elapsed =
      std::chrono::duration_cast<seconds>(std::chrono::steady_clock::now() - start_);
  fmt::print(stderr, "{}{}", kEraseLine, line(elapsed));
  std::fflush(stderr);
}

void Progress::erase() const {
  if (on_terminal_) {
    fmt::print(stderr, "{}", kEraseLine);
  }
}

void Progress::tell(std::string_view text) {
  erase();
  fmt::print(stderr, "{}: {}\n", who_, text);
}

void Progress::on_note(std::string_view text) { tell(text); }

void Progress::on_start(const boot::PlannedBoot& boot, unsigned /*attempt*/) {
  const std::scoped_lock lock(mutex_);
  active_[boot.name] = {boot.role, std::string(boot::phase_text(boot::BootPhase::kBoot))};
}

void Progress::on_phase(const boot::PlannedBoot& boot, boot::BootPhase phase) {
  const std::scoped_lock lock(mutex_);
  active_[boot.name].text = boot::phase_text(phase);
}

void Progress::on_log(const boot::PlannedBoot& boot, std::string_view text) {
  tell(fmt::format("{}: {}", boot.name, text));
}

void Progress::on_measured(const boot::PlannedBoot& boot) {
  const std::scoped_lock lock(mutex_);
  active_.erase(boot.name);
  ++done_;
}

void Progress::on_lost(const boot::PlannedBoot& boot, const boot::BootFailure& failure,
                       bool will_retry) {
  {
    const std::scoped_lock lock(mutex_);
    active_.erase(boot.name);
  }
  tell(fmt::format("{}: {}; {}", boot.name, failure.what(),
                   will_retry ? "trying again" : "given up"));
  for (const std::string& text : failure.console_tail()) {
    fmt::print(stderr, "    | {}\n", text);
  }
}

}  // namespace msgring::cli
