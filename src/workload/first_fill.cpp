// SPDX-License-Identifier: MIT
#include "workload/first_fill.hpp"

#include <array>
#include <optional>

#include "workload/fd_sender.hpp"
#include "workload/phased_workload.hpp"
#include "workload/read_back.hpp"

namespace msgring::workload {
namespace {

constexpr std::array kPhases{PhaseInfo{"fill", "install"}};
constexpr std::array kParameters{Parameter::kSlots,         Parameter::kBatch,
                                 Parameter::kSlotMode,      Parameter::kTargetCompletion,
                                 Parameter::kSourceProfile, Parameter::kTargetProfile};

class FirstFill final : public PhasedWorkload {
 public:
  explicit FirstFill(const Options& options)
      : PhasedWorkload(options, kPhases, options.slots), sender_(options, options.slots) {}

  void prepare() override {
    target_.emplace(sender_.make_target());
    target_->register_sparse_files(options().slots);
    sender_.restart();
    fill_ = sender_.aim(*target_, {options().slots});
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
    read_back_table(*target_, contents_of(filled), sender_.round(), options().timeout_s, report);
    check_ring(state_of(*target_), report);
  }

  void teardown() noexcept override { target_.reset(); }

  EnterLog enters() const noexcept override { return sender_.enters(); }
  std::vector<std::pair<std::string, std::string>> facts() const override {
    return sender_.facts();
  }

 private:
  FdSender sender_;
  std::optional<uring::Ring> target_;
  Fill fill_{};
};

}  // namespace

const Entry kFirstFill{
    .name = "first_fill",
    .summary = "fill the empty sparse table of a fresh target ring by SEND_FD (the report)",
    .phases = kPhases,
    .minimum_kernel = "6.0",
    .parameters = kParameters,
    .make = construct<FirstFill>};

}  // namespace msgring::workload
