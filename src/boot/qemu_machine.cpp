// SPDX-License-Identifier: MIT
// Starting QEMU and reading what it writes.
#include "qemu_machine.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <fstream>

#include "msgring/host/whole_file.hpp"
#include "vcpu_pinning.hpp"

namespace msgring::boot {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kLookInterval{20};

/// A file that need not outlive a crash.
void write_scratch(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) {
    throw Error(ExitStatus::kEnvironment, fmt::format("{}: cannot be written", path.native()),
                "is the disk full?");
  }
}

}  // namespace

std::string GrowingFile::read_new() {
  std::string bytes = host::read_file_from(path_, offset_);
  offset_ += bytes.size();
  return bytes;
}

QemuMachine::QemuMachine(Plan plan, std::stop_token stop)
    : plan_(std::move(plan)),
      stop_(std::move(stop)),
      files_{plan_.line.results.parent_path() / "emulator.out",
             plan_.line.results.parent_path() / "emulator.err"},
      console_(plan_.line.console),
      results_(plan_.line.results),
      serial_results_(plan_.line.serial_results) {}

std::string QemuMachine::read_errors() const { return host::read_file_from(files_.errors, 0); }

void QemuMachine::look(milliseconds patience, BootObserver& observer) {
  const std::optional<host::ProcessEnd> end = child_->wait(patience);
  const auto now = steady_clock::now();
  watch_->on_console(console_.read_new(), now);
  // A guest uses one of the two ports, and never the other.
  watch_->on_results(results_.read_new(), now);
  watch_->on_results(serial_results_.read_new(), now);
  if (end && !watch_->has_ended()) {
    watch_->on_end(*end, read_errors());
  }
  for (const std::string& line : watch_->take_logs()) {
    observer.on_log(line);
  }
  if (told_ != watch_->phase()) {
    told_ = watch_->phase();
    observer.on_phase(*told_);
  }
  if (stop_.stop_requested()) {
    throw Error(ExitStatus::kInterrupted, "interrupted");
  }
}

void QemuMachine::wait_until(BootPhase phase, BootObserver& observer) {
  while (watch_->phase() < phase) {
    look(kLookInterval, observer);
    if (auto failure = watch_->failure(steady_clock::now())) {
      throw std::move(*failure);
    }
  }
}

void QemuMachine::boot(BootObserver& observer) {
  write_scratch(plan_.line.initrd, plan_.initrd);
  const std::time_t started = std::time(nullptr);
  watch_.emplace(plan_.run_id, plan_.deadlines, steady_clock::now());
  child_.emplace(host::ChildProcess::start(plan_.command_line, files_));
  plan_.facts["boot.started"] =
      fmt::format("{:%Y-%m-%dT%H:%M:%SZ}, process {}", fmt::gmtime(started), child_->pid());
  if (plan_.line.accelerator == Accelerator::kKvm) {
    plan_.facts["boot.vcpu_cpus"] = pin_vcpus(child_->pid());
  }
  wait_until(BootPhase::kSettle, observer);
}

void QemuMachine::run(BootObserver& observer) { wait_until(BootPhase::kPowerOff, observer); }

BootResult QemuMachine::fetch(BootObserver& observer) {
  if (auto failure = watch_->failure(steady_clock::now())) {
    throw std::move(*failure);
  }
  // The result is whole; a guest that cannot power off only loses its machine.
  const auto end_time = steady_clock::now() + plan_.deadlines.power_off;
  while (!watch_->has_ended() && steady_clock::now() < end_time) {
    look(kLookInterval, observer);
  }
  if (!watch_->has_ended()) {
    observer.on_log("the guest did not power off, and was ended");
  }
  child_->stop();
  return {watch_->point_text(), watch_->take_additions(), plan_.facts};
}

}  // namespace msgring::boot
