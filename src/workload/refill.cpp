// SPDX-License-Identifier: MIT
#include "workload/refill.hpp"

#include <array>
#include <vector>

#include "workload/register_call.hpp"
#include "workload/table_checks.hpp"
#include "workload/target_fill.hpp"

namespace msgring::workload {
namespace {

constexpr std::array kPhases{PhaseInfo{"remove", "removal"}, PhaseInfo{"fill", "install"}};

/// What the table holds before, and what it holds afterwards: a slot that kept its first file
/// cannot pass for a refilled one.
constexpr std::uint8_t kFirstFile = 0;
constexpr std::uint8_t kSecondFile = 1;

class Refill final : public TargetFill {
 public:
  explicit Refill(const Options& options)
      : TargetFill(options, kPhases, installs_of(options), 2), nothing_(installs_of(options), -1) {}

  void prepare() override {
    renew_target();
    target().register_sparse_files(options().slots);
    // The slots that the untimed fill got are the inventory: the kernel's allocation hint moves.
    spans_ = spans_of(
        sender().fill_untimed(target(), {installs_of(options()), kFirstFile}, options().slots));
    removed_.assign(spans_.size(), kNoResult);
    aim(kSecondFile);
    expect({installs_of(options()), installs_of(options())});
  }

  void run() noexcept override {
    time_phase<0>([&] {
      for (std::size_t index = 0; index < spans_.size(); ++index) {
        removed_[index] =
            update_files(target(), spans_[index].first, nothing_.data(), spans_[index].count);
      }
    });
    time_phase<1>([&] { sender().send(tails(1)); });
  }

  void check(CheckReport& report) override {
    check_removals(spans_, removed_, report);
    prove_target(check_sent(report), report);
  }

  std::vector<Counter> counters() const override {
    std::vector<Counter> all = PhasedWorkload::counters();
    all.push_back({"remove_calls", static_cast<double>(spans_.size())});
    return all;
  }

 private:
  std::vector<std::int32_t> nothing_;
  std::vector<SlotSpan> spans_;
  std::vector<std::int32_t> removed_;
};

}  // namespace

const Entry kRefill{
    .name = "refill",
    .summary = "remove --fill installed files by one register call per span, then SEND_FD again",
    .phases = kPhases,
    .minimum_kernel = "6.0",
    .parameters = kPartialFillParameters,
    .interval = Interval::kCompared,
    .kernel_functions = kSendFdFunctions,
    .make = construct<Refill>};

}  // namespace msgring::workload
