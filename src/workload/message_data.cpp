// SPDX-License-Identifier: MIT
#include "workload/message_data.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>

#include "msgring/uring/abi.hpp"
#include "workload/batch_runner.hpp"
#include "workload/message_checks.hpp"
#include "workload/phased_workload.hpp"
#include "workload/trial.hpp"

namespace msgring::workload {
namespace {

constexpr std::array<std::string_view, 4> kFunctions{"io_msg_ring", "io_msg_ring_data",
                                                     "io_msg_remote_post", "io_post_aux_cqe"};
constexpr std::array kPhases{PhaseInfo{"message", "message"}};
constexpr std::array kParameters{Parameter::kBatch, Parameter::kOperations,
                                 Parameter::kSourceProfile};
constexpr Options kDefaults{.operations = 262'144};

SqeShape message_to(const uring::Ring& target) {
  io_uring_sqe sqe{};
  io_uring_prep_rw(IORING_OP_MSG_RING, &sqe, target.fd(), nullptr, 0, 0);
  sqe.addr = uring::kMsgData;
  return SqeShape(sqe);
}

/// `Drain` says what kind of target it is: one with deferred task work enters the kernel itself.
template <TargetDrain Drain>
class MessageData final : public PhasedWorkload {
 public:
  explicit MessageData(const Options& options)
      : PhasedWorkload(options, kPhases, options.operations),
        runner_(options, options.operations, Streams::kSourceAndTarget) {
    uring::Ring source = make_source();
    const uring::Ring target = make_target();
    demand_operation(source, message_to(target), 0, "IORING_MSG_DATA", "needs Linux 5.18 or newer");
  }

  void prepare() override {
    source_.emplace(make_source());
    target_.emplace(make_target());
    runner_.restart();
    runner_.aim(*source_, &*target_, message_to(*target_), options().operations);
    expect({options().operations});
  }

  void run() noexcept override {
    time_phase<0>([&] {
      const std::uint64_t for_source = runner_.source_base();
      const std::uint64_t for_target = runner_.target_base();
      const std::uint32_t round = runner_.round();
      runner_.template run<Drain>(tails(0), [=](io_uring_sqe& sqe, std::uint32_t number) noexcept {
        sqe.off = for_target + number;
        sqe.len = payload_of(number, round);
        sqe.user_data = for_source + number;
      });
    });
  }

  void check(CheckReport& report) override {
    runner_.check(report);
    check_messages(runner_.source_results(), runner_.target_results(), runner_.round(), report);
    check_ring(state_of(*source_), report);
    check_ring(state_of(*target_), report);
  }

  void teardown() noexcept override {
    source_.reset();
    target_.reset();
  }

  EnterLog enters() const noexcept override { return runner_.enters(); }
  std::vector<std::pair<std::string, std::string>> facts() const override {
    return {{"source_setup_flags", fmt::format("{:#x}", setup_flags(options().source_profile))},
            {"target_setup_flags", fmt::format("{:#x}", setup_flags(kTargetProfile))}};
  }

 private:
  static constexpr RingProfile kTargetProfile =
      Drain == TargetDrain::kOwnEnter ? RingProfile::kDeferTaskrun : RingProfile::kDefault;

  uring::Ring make_source() const {
    return uring::Ring(submitting_ring(options().batch, options().source_profile), "source ring");
  }
  uring::Ring make_target() const {
    return demand_ring(receiving_ring(options().batch, kTargetProfile), "target ring",
                       "needs Linux 6.1 or newer");
  }

  BatchRunner runner_;
  std::optional<uring::Ring> source_;
  std::optional<uring::Ring> target_;
};

template <TargetDrain Drain>
std::unique_ptr<Workload> make(const Options& options) {
  return std::make_unique<MessageData<Drain>>(options);
}

}  // namespace

const Entry kMessageData{.name = "message_data",
                         .summary = "IORING_MSG_DATA to an ordinary target ring (control)",
                         .phases = kPhases,
                         .minimum_kernel = "5.18",
                         .parameters = kParameters,
                         .defaults = kDefaults,
                         .kernel_functions = kFunctions,
                         .make = make<TargetDrain::kPassive>};

const Entry kMessageDataDeferred{
    .name = "message_data_deferred",
    .summary = "the same to a DEFER_TASKRUN target, drained by its own io_uring_enter (control)",
    .phases = kPhases,
    .minimum_kernel = "6.1",
    .parameters = kParameters,
    .defaults = kDefaults,
    .kernel_functions = kFunctions,
    .make = make<TargetDrain::kOwnEnter>};

}  // namespace msgring::workload
