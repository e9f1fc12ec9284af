// SPDX-License-Identifier: MIT
// What tests that boot kernels share: a driver over guest_probe, and a look at one's children.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "msgring/boot/qemu.hpp"
#include "msgring/host/temporary_folder.hpp"

namespace msgring::boot {

/// The newest cached kernel of a version; nothing when the cache has none, and the test must skip.
std::optional<Kernel> cached_kernel(std::string_view prefix);

/// What is missing before that kernel can be booted, and how to get it; empty when nothing is.
std::string missing_for(std::string_view prefix);

/// Process ids of this process's children, of all its threads.
std::vector<pid_t> own_children();

/// Remembers what it was told.
class RecordingObserver : public BootObserver {
 public:
  void on_phase(BootPhase phase) override { phases.push_back(phase); }
  void on_log(std::string_view line) override { logs.emplace_back(line); }

  std::vector<BootPhase> phases;
  std::vector<std::string> logs;
};

/// How one boot of guest_probe went.
struct ProbeBoot {
  std::optional<BootResult> result;
  std::optional<BootFailure> failure;
};

/// A prepared QEMU driver that counts instructions, for one kernel.
class ProbeDriver {
 public:
  explicit ProbeDriver(Kernel kernel, Deadlines deadlines = {});

  BootRequest request(std::vector<std::string> arguments = {}, std::string append = {}) const;
  std::unique_ptr<Machine> machine(const BootRequest& request, std::stop_token stop = {}) {
    return driver_.make_machine(request, std::move(stop));
  }
  /// Boots, runs and fetches.
  ProbeBoot boot(const BootRequest& request, std::stop_token stop = {});
  const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  host::TemporaryFolder folder_{"msgring-vm"};
  QemuDriver driver_{UnitChoice::kInstructions};
  Kernel kernel_;
  mutable unsigned requests_ = 0;
};

}  // namespace msgring::boot

/// Skips the test when this machine cannot boot the newest kernel `prefix`, and says what is
/// missing. GTEST_SKIP returns from the test itself, which only a macro can make it do.
#define MSGRING_NEED_KERNEL(prefix)                                                         \
  if (const std::string missing = ::msgring::boot::missing_for(prefix); !missing.empty()) { \
    GTEST_SKIP() << missing;                                                                \
  }                                                                                         \
  static_assert(true, "takes the semicolon")
