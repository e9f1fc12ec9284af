// SPDX-License-Identifier: MIT
// What a person sees while kernels boot.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "msgring/boot/run.hpp"

namespace msgring::cli {

/// On a terminal one line, drawn anew twice a second: how many boots are done, which kernel is in
/// which phase, elapsed, expected. Without a terminal only notes and losses, a line each.
class Progress : public boot::RunObserver {
 public:
  /// `total` boots, of which `done` were there before. `kernels` names each role's kernel. Lines
  /// begin with `who`.
  Progress(std::size_t total, std::size_t done, std::map<char, std::string> kernels,
           std::string who = "msgring aba");
  ~Progress() override;

  void on_note(std::string_view line) override;
  void on_start(const boot::PlannedBoot& boot, unsigned attempt) override;
  void on_phase(const boot::PlannedBoot& boot, boot::BootPhase phase) override;
  void on_log(const boot::PlannedBoot& boot, std::string_view line) override;
  void on_measured(const boot::PlannedBoot& boot) override;
  void on_lost(const boot::PlannedBoot& boot, const boot::BootFailure& failure,
               bool will_retry) override;

  /// The line as it is drawn, `elapsed` after the start.
  std::string line(std::chrono::seconds elapsed) const;

 private:
  struct Active {
    char role;
    std::string text;
  };

  void tell(std::string_view line);
  void draw();
  void erase() const;

  std::size_t total_;
  std::size_t done_before_;
  std::size_t done_;
  std::map<char, std::string> kernels_;
  std::string who_;
  std::map<std::string, Active> active_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool on_terminal_;
  mutable std::mutex mutex_;
  std::jthread drawer_;
};

}  // namespace msgring::cli
