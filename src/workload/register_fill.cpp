// SPDX-License-Identifier: MIT
#include "workload/register_fill.hpp"

#include <array>
#include <optional>

#include "workload/fd_sender.hpp"
#include "workload/phased_workload.hpp"
#include "workload/read_back.hpp"
#include "workload/register_call.hpp"
#include "workload/table_checks.hpp"

namespace msgring::workload {
namespace {

constexpr std::array kPhases{PhaseInfo{"register", "table"}, PhaseInfo{"fill", "install"}};

class RegisterFill final : public PhasedWorkload {
 public:
  explicit RegisterFill(const Options& options)
      : PhasedWorkload(options, kPhases, installs_of(options)),
        sender_(options, installs_of(options)) {}

  void prepare() override {
    target_.emplace(sender_.make_target());
    sender_.restart();
    fill_ = sender_.aim(*target_, {installs_of(options())});
    registered_ = kNoResult;
    expect({1, installs_of(options())});
  }

  void run() noexcept override {
    time_phase<0>([&] { registered_ = register_sparse_table(*target_, options().slots); });
    time_phase<1>([&] { sender_.send(tails(1)); });
  }

  void check(CheckReport& report) override {
    SlotSet filled(options().slots, false);
    check_register("IORING_REGISTER_FILES2", registered_, report);
    sender_.check(report);
    sender_.check_fill(fill_, filled, report);
    read_back_table(*target_, contents_of(filled), sender_.round(), options().timeout_s, report);
    const std::int32_t skip = IORING_REGISTER_FILES_SKIP;
    check_table_size(options().slots, update_files(*target_, options().slots - 1, &skip, 1),
                     update_files(*target_, options().slots, &skip, 1), report);
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
    .make = construct<RegisterFill>};

}  // namespace msgring::workload
