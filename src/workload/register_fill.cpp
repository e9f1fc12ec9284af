// SPDX-License-Identifier: MIT
#include "workload/register_fill.hpp"

#include <array>

#include "workload/register_call.hpp"
#include "workload/table_checks.hpp"
#include "workload/target_fill.hpp"

namespace msgring::workload {
namespace {

constexpr std::array kPhases{PhaseInfo{"register", "table"}, PhaseInfo{"fill", "install"}};

class RegisterFill final : public TargetFill {
 public:
  explicit RegisterFill(const Options& options)
      : TargetFill(options, kPhases, installs_of(options)) {}

  void prepare() override {
    renew_target();
    aim();
    registered_ = kNoResult;
    expect({1, installs_of(options())});
  }

  void run() noexcept override {
    time_phase<0>([&] { registered_ = register_sparse_table(target(), options().slots); });
    time_phase<1>([&] { sender().send(tails(1)); });
  }

  void check(CheckReport& report) override {
    check_register("IORING_REGISTER_FILES2", registered_, report);
    const SlotSet filled = check_sent(report);
    const std::int32_t skip = IORING_REGISTER_FILES_SKIP;
    check_table_size(options().slots, update_files(target(), options().slots - 1, &skip, 1),
                     update_files(target(), options().slots, &skip, 1), report);
    prove_target(filled, report);
  }

 private:
  std::int32_t registered_ = kNoResult;
};

}  // namespace

const Entry kRegisterFill{
    .name = "register_fill",
    .summary =
        "register a sparse table of --slots with a new target ring, then fill --fill of them",
    .phases = kPhases,
    .minimum_kernel = "6.0",
    .parameters = kPartialFillParameters,
    .interval = Interval::kCompared,
    .kernel_functions = kSendFdFunctions,
    .make = construct<RegisterFill>};

}  // namespace msgring::workload
