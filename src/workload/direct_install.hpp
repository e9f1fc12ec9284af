// SPDX-License-Identifier: MIT
// DirectInstall: what the workloads share whose operations make a file and put it into a slot of
// their own ring.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "workload/batch_runner.hpp"
#include "workload/phased_workload.hpp"
#include "workload/trial.hpp"

namespace msgring::workload {

/// The phase and the options of every such workload.
inline constexpr std::array kDirectPhases{PhaseInfo{"fill", "install"}};
inline constexpr std::array kDirectParameters{Parameter::kSlots, Parameter::kBatch,
                                              Parameter::kSlotMode, Parameter::kSourceProfile};
/// What an install by OPENAT or SOCKET calls.
inline constexpr std::array<std::string_view, 4> kDirectFunctions{
    "io_fixed_fd_install", "__io_fixed_fd_install", "io_rsrc_node_alloc", "io_cache_alloc_new"};

/// A round: a new ring with an empty sparse table, every slot of which one operation fills. A
/// workload adds what its operation looks like and how to prove that a slot holds what it made.
class DirectInstall : public PhasedWorkload {
 public:
  void prepare() override;
  void run() noexcept override;
  void check(CheckReport& report) override;
  void teardown() noexcept override { ring_.reset(); }

  EnterLog enters() const noexcept override { return runner_.enters(); }
  std::vector<std::pair<std::string, std::string>> facts() const override;

 protected:
  explicit DirectInstall(const Options& options);

  /// Tries one such operation on a ring of its own. For the constructor: throws Error (environment)
  /// that names `what` where this kernel cannot do it.
  void demand(const SqeShape& shape, const std::string& what, const std::string& hint);

  /// The operation, into an automatically allocated slot.
  virtual SqeShape shape() const noexcept = 0;
  /// Untimed: proves that every slot of `filled` holds what the operation makes, and no other does.
  virtual void prove(uring::Ring& ring, const SlotSet& filled, std::uint32_t round,
                     CheckReport& report) = 0;

 private:
  uring::Ring make_ring(std::uint32_t slots, const char* role) const;

  BatchRunner runner_;
  std::optional<uring::Ring> ring_;
  bool at_once_ = false;
};

}  // namespace msgring::workload
