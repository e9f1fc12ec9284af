// SPDX-License-Identifier: MIT
#include "workload/replace.hpp"

#include <array>

#include "msgring/error.hpp"
#include "workload/read_back.hpp"
#include "workload/target_fill.hpp"

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

class Replace final : public TargetFill {
 public:
  explicit Replace(const Options& options)
      : TargetFill(with_explicit_slots(options), kPhases, options.slots, 2) {}

  void prepare() override {
    renew_target();
    target().register_sparse_files(options().slots);
    occupy();
    aim(kNewFile);
    expect({options().slots});
  }

  void run() noexcept override {
    time_phase<0>([&] { sender().send(tails(0)); });
  }

  void check(CheckReport& report) override {
    const SlotSet filled = check_sent(report);
    check_all_filled(filled, report);
    prove_target(filled, report);
  }

 private:
  /// Untimed: the old file into every slot, proved by reading it through every slot.
  void occupy() {
    const SlotSet filled =
        sender().fill_untimed(target(), {options().slots, kOldFile}, options().slots);
    CheckReport report;
    read_back_table(target(), contents_of(filled, kOldFile), sender().round(), options().timeout_s,
                    report);
    if (!report.passed()) {
      throw Error(ExitStatus::kInvalid, "replace, before the timed phase: " + report.summary());
    }
  }
};

}  // namespace

const Entry kReplace{.name = "replace",
                     .summary = "SEND_FD into the occupied slots of a full table",
                     .phases = kPhases,
                     .minimum_kernel = "6.0",
                     .parameters = kParameters,
                     .kernel_functions = kSendFdFunctions,
                     .make = construct<Replace>};

}  // namespace msgring::workload
