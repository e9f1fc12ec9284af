// SPDX-License-Identifier: MIT
#include "workload/first_fill.hpp"

#include <array>

#include "workload/target_fill.hpp"

namespace msgring::workload {
namespace {

constexpr std::array kPhases{PhaseInfo{"fill", "install"}};
constexpr std::array kParameters{Parameter::kSlots,         Parameter::kBatch,
                                 Parameter::kSlotMode,      Parameter::kTargetCompletion,
                                 Parameter::kSourceProfile, Parameter::kTargetProfile};

class FirstFill final : public TargetFill {
 public:
  explicit FirstFill(const Options& options) : TargetFill(options, kPhases, options.slots) {}

  void prepare() override {
    renew_target();
    target().register_sparse_files(options().slots);
    aim();
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
};

}  // namespace

const Entry kFirstFill{
    .name = "first_fill",
    .summary = "fill the empty sparse table of a fresh target ring by SEND_FD (the report)",
    .phases = kPhases,
    .minimum_kernel = "6.0",
    .parameters = kParameters,
    .kernel_functions = kSendFdFunctions,
    .make = construct<FirstFill>};

}  // namespace msgring::workload
