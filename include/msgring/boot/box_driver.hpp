// SPDX-License-Identifier: MIT
// What the drivers of real machines share: the box, the benchmark that is brought to it, and what a
// resumed run must be given again.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "msgring/boot/driver.hpp"
#include "msgring/boot/plan.hpp"
#include "msgring/host/temporary_folder.hpp"

namespace msgring::boot {

class Box;
class BoxBundle;
struct BoxBootPlan;
struct Witness;

/// Kernels are those installed on the box: a release or the beginning of one, as /boot/vmlinuz-*
/// names them, or the path of such a file there. One boot at a time, in nanoseconds.
class BoxDriver : public Driver {
 public:
  ~BoxDriver() override;

  Kernel find_kernel(const std::string& name, const KernelCache& cache) override;
  DriverMemory memory() const override;
  host::Unit unit() const override { return host::Unit::kNanoseconds; }
  std::vector<std::string> notes() const override { return notes_; }
  unsigned most_parallel_boots() const override { return 1; }

 protected:
  /// `tune_host`: the script to take along where the plan wants it; else empty.
  BoxDriver(BoxPlan plan, std::filesystem::path tune_host, std::unique_ptr<Box> box);

  const BoxPlan& plan() const noexcept { return plan_; }
  Box& box() noexcept { return *box_; }
  const BoxBundle& bundle() const noexcept { return *bundle_; }

  /// Demands what a run needs on the box, and `more_programs`; brings the benchmark. `witness`: of
  /// the boot that the box is in. Throws Error (kEnvironment) for what it lacks, Error (kUsage)
  /// when a resumed run began with other files.
  void bring_benchmark(const DriverSetup& setup, const Witness& witness,
                       const std::vector<std::string>& more_programs = {});
  void set_notes(std::vector<std::string> notes) { notes_ = std::move(notes); }

  /// Valid after bring_benchmark().
  BoxBootPlan boot_plan(const BootRequest& request) const;
  /// What arms the boot, as a command line on the box.
  std::vector<std::string> arming_line(const BootRequest& request) const;

 private:
  std::string whole_command_line(const BootRequest& request) const;

  BoxPlan plan_;
  std::filesystem::path tune_host_;
  std::unique_ptr<Box> box_;
  host::TemporaryFolder scratch_{"msgring-box"};
  std::unique_ptr<BoxBundle> bundle_;
  Deadlines deadlines_;
  std::string base_command_line_;
  std::vector<std::string> notes_;
};

}  // namespace msgring::boot
