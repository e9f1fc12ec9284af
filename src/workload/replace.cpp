// SPDX-License-Identifier: MIT
#include "workload/replace.hpp"

#include <array>
#include <optional>

#include "msgring/error.hpp"
#include "workload/fd_sender.hpp"
#include "workload/phased_workload.hpp"
#include "workload/read_back.hpp"

namespace msgring::workload {
namespace {

constexpr std::array kPhases{PhaseInfo{"fill", "install"}};
constexpr std::array kParameters{Parameter::kSlots, Parameter::kBatch, Parameter::kTargetCompletion,
                                 Parameter::kSourceProfile, Parameter::kTargetProfile};

constexpr std::uint8_t kOldFile = 0;
constexpr std::uint8_t kNewFile = 1;

/// An occupied slot can only be named, never allocated.
Options with_explicit_slots(Options options) {
  options.slot_mode = SlotMode::kExplicit;
  return options;
}

class Replace final : public PhasedWorkload {
 public:
  explicit Replace(const Options& options)
      : PhasedWorkload(options, kPhases, options.slots),
        sender_(with_explicit_slots(options), options.slots, 2) {}

  void prepare() override {
    target_.emplace(sender_.make_target());
    target_->register_sparse_files(options().slots);
    occupy();
    sender_.restart();
    fill_ = sender_.aim(*target_, {options().slots, kNewFile});
    expect({options().slots});
  }

  void run() noexcept override {
    time_phase<0>([&] { sender_.send(tails(0)); });
  }

  void check(CheckReport& report) override {
    SlotSet filled(options().slots, false);
    sender_.check(report);
    sender_.check_fill(fill_, filled, report);
    check_all_filled(filled, report);
    read_back_table(*target_, contents_of(filled, kNewFile), sender_.round(), options().timeout_s,
                    report);
    check_ring(state_of(*target_), report);
  }

  void teardown() noexcept override { target_.reset(); }

  EnterLog enters() const noexcept override { return sender_.enters(); }
  std::vector<std::pair<std::string, std::string>> facts() const override {
    return sender_.facts();
  }

 private:
  /// Untimed: the old file into every slot, proved by reading it through every slot.
  void occupy() {
    const SlotSet filled =
        sender_.fill_untimed(*target_, {options().slots, kOldFile}, options().slots);
    CheckReport report;
    read_back_table(*target_, contents_of(filled, kOldFile), sender_.round(), options().timeout_s,
                    report);
    if (!report.passed()) {
      throw Error(ExitStatus::kInvalid, "replace, before the timed phase: " + report.summary());
    }
  }

  FdSender sender_;
  std::optional<uring::Ring> target_;
  Fill fill_{};
};

}  // namespace

const Entry kReplace{.name = "replace",
                     .summary = "SEND_FD into the occupied slots of a full table",
                     .phases = kPhases,
                     .minimum_kernel = "6.0",
                     .parameters = kParameters,
                     .make = construct<Replace>};

}  // namespace msgring::workload
