// SPDX-License-Identifier: MIT
#include "workload/refill.hpp"

#include <array>
#include <optional>

#include "workload/fd_sender.hpp"
#include "workload/phased_workload.hpp"
#include "workload/read_back.hpp"
#include "workload/register_call.hpp"
#include "workload/table_checks.hpp"

namespace msgring::workload {
namespace {

constexpr std::array kPhases{PhaseInfo{"remove", "removal"}, PhaseInfo{"fill", "install"}};

/// What the table holds before, and what it holds afterwards: a slot that kept its first file
/// cannot pass for a refilled one.
constexpr std::uint8_t kFirstFile = 0;
constexpr std::uint8_t kSecondFile = 1;

class Refill final : public PhasedWorkload {
 public:
  explicit Refill(const Options& options)
      : PhasedWorkload(options, kPhases, installs_of(options)),
        sender_(options, installs_of(options), 2),
        nothing_(installs_of(options), -1) {}

  void prepare() override {
    target_.emplace(sender_.make_target());
    target_->register_sparse_files(options().slots);
    // The slots that the untimed fill got are the inventory: the kernel's allocation hint moves.
    spans_ = spans_of(
        sender_.fill_untimed(*target_, {installs_of(options()), kFirstFile}, options().slots));
    removed_.assign(spans_.size(), kNoResult);
    sender_.restart();
    refill_ = sender_.aim(*target_, {installs_of(options()), kSecondFile});
    expect({installs_of(options()), installs_of(options())});
  }

  void run() noexcept override {
    time_phase<0>([&] {
      for (std::size_t index = 0; index < spans_.size(); ++index) {
        removed_[index] =
            update_files(*target_, spans_[index].first, nothing_.data(), spans_[index].count);
      }
    });
    time_phase<1>([&] { sender_.send(tails(1)); });
  }

  void check(CheckReport& report) override {
    SlotSet filled(options().slots, false);
    check_removals(spans_, removed_, report);
    sender_.check(report);
    sender_.check_fill(refill_, filled, report);
    read_back_table(*target_, contents_of(filled, kSecondFile), sender_.round(),
                    options().timeout_s, report);
    check_ring(state_of(*target_), report);
  }

  void teardown() noexcept override { target_.reset(); }

  EnterLog enters() const noexcept override { return sender_.enters(); }
  std::vector<Counter> counters() const override {
    std::vector<Counter> all = PhasedWorkload::counters();
    all.push_back({"remove_calls", static_cast<double>(spans_.size())});
    return all;
  }
  std::vector<std::pair<std::string, std::string>> facts() const override {
    return sender_.facts();
  }

 private:
  FdSender sender_;
  std::vector<std::int32_t> nothing_;
  std::optional<uring::Ring> target_;
  std::vector<SlotSpan> spans_;
  std::vector<std::int32_t> removed_;
  Fill refill_{};
};

}  // namespace

const Entry kRefill{
    .name = "refill",
    .summary = "remove --fill installed files by one register call per span, then SEND_FD again",
    .phases = kPhases,
    .minimum_kernel = "6.0",
    .parameters = kPartialFillParameters,
    .interval = Interval::kCompared,
    .make = construct<Refill>};

}  // namespace msgring::workload
