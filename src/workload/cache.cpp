// SPDX-License-Identifier: MIT
#include "workload/cache.hpp"

#include <fmt/format.h>

#include <array>
#include <exception>
#include <vector>

#include "workload/fd_sender.hpp"
#include "workload/phased_workload.hpp"
#include "workload/read_back.hpp"
#include "workload/register_call.hpp"
#include "workload/table_checks.hpp"
#include "workload/temperature.hpp"

namespace msgring::workload {
namespace {

constexpr std::array kPhases{PhaseInfo{"cold", "install"}, PhaseInfo{"warm", "install"}};
constexpr unsigned kCold = 0;
constexpr unsigned kWarm = 1;
constexpr std::array kParameters{Parameter::kSlots,
                                 Parameter::kBatch,
                                 Parameter::kReplicates,
                                 Parameter::kSlotMode,
                                 Parameter::kTargetCompletion,
                                 Parameter::kSourceProfile,
                                 Parameter::kTargetProfile};

constexpr Options kDefaults{.slots = 128};

/// The fills of a pair: one of a cold ring, two of a warm one.
constexpr std::uint64_t kFillsPerPair = 3;

std::uint64_t installs_per_round(const Options& options) {
  return kFillsPerPair * options.replicates * options.slots;
}

/// One timed fill with what led to it. `ring`: index of its ring.
struct TimedFill {
  FillHistory history;
  std::size_t ring;
  Fill fill;
  PhaseSample sample;
};

class Cache final : public PhasedWorkload {
 public:
  explicit Cache(const Options& options)
      : PhasedWorkload(options, kPhases, std::uint64_t{options.replicates} * options.slots),
        sender_(options, installs_per_round(options)) {}

  void prepare() override {
    rings_.clear();
    fills_.clear();
    warm_ups_.clear();
    rings_.reserve(std::size_t{2} * options().replicates);
    fills_.reserve(std::size_t{2} * options().replicates);
    warm_ups_.reserve(options().replicates);
    failure_ = nullptr;
    sender_.restart();
    const std::uint64_t installs = std::uint64_t{options().replicates} * options().slots;
    expect({installs, installs});
  }

  void run() noexcept override {
    try {
      for (std::uint32_t pair = 0; pair < options().replicates && all_well(); ++pair) {
        if (pair % 2 == 0) {
          fill_cold();
          fill_warm();
        } else {
          fill_warm();
          fill_cold();
        }
      }
    } catch (...) {
      failure_ = std::current_exception();  // of an untimed set-up; check() throws it
    }
    for (const TimedFill& fill : fills_) {
      fold(fill.history.claimed == Temperature::kWarm ? kWarm : kCold, fill.sample);
    }
  }

  void check(CheckReport& report) override {
    if (failure_) {
      std::rethrow_exception(failure_);
    }
    sender_.check(report);
    for (const Fill& fill : warm_ups_) {
      check_slots(fill, report);
    }
    std::vector<FillHistory> histories;
    for (const TimedFill& fill : fills_) {
      const SlotSet filled = check_slots(fill.fill, report);
      read_back_table(rings_[fill.ring], contents_of(filled), sender_.round(), options().timeout_s,
                      report);
      check_ring(state_of(rings_[fill.ring]), report);
      histories.push_back(fill.history);
    }
    const bool posted = options().target_completion == TargetCompletion::kPosted;
    check_temperatures(histories, posted ? options().slots : 0, report);
  }

  /// Ring by ring in the background: the caller's gap waits for it.
  void teardown() noexcept override { rings_.clear(); }

  EnterLog enters() const noexcept override { return sender_.enters(); }

  std::vector<Counter> counters() const override {
    std::vector<Counter> all = PhasedWorkload::counters();
    const PairSummary pairs = summarize_pairs(costs(Temperature::kCold), costs(Temperature::kWarm));
    const std::string_view unit = host::unit_text(host::unit_of(options().clock));
    all.push_back({fmt::format("pair_difference_{}", unit), pairs.mean});
    all.push_back({fmt::format("pair_difference_median_{}", unit), pairs.median});
    all.push_back({"pairs", static_cast<double>(options().replicates)});
    all.push_back({"pairs_warm_cheaper", static_cast<double>(pairs.warm_cheaper)});
    return all;
  }

  std::vector<std::pair<std::string, std::string>> facts() const override {
    return sender_.facts();
  }

 private:
  /// False: a batch was given up, and every further one might take its whole time limit.
  bool all_well() const noexcept {
    return sender_.enters().timeouts == 0 && sender_.enters().error == 0;
  }

  uring::Ring& new_ring() { return rings_.emplace_back(sender_.make_target()); }

  /// The untimed steps before a fill are in its history; the fill itself is timed.
  template <unsigned Phase>
  void fill_timed(uring::Ring& ring, Temperature claimed, std::int32_t unregistered) noexcept {
    const std::int32_t registered = register_sparse_table(ring, options().slots);
    const Fill fill = sender_.aim(ring, {options().slots});
    TimedFill& timed = fills_.emplace_back(
        TimedFill{{claimed, ring.fd(), ring.cq_posted(), unregistered, registered},
                  rings_.size() - 1,
                  fill,
                  {}});
    time_stretch<Phase>(timed.sample, [&] { sender_.send(tails(Phase)); });
  }

  void fill_cold() { fill_timed<kCold>(new_ring(), Temperature::kCold, kNoResult); }

  void fill_warm() {
    uring::Ring& ring = new_ring();
    ring.register_sparse_files(options().slots);
    warm_ups_.push_back(sender_.aim(ring, {options().slots}));
    sender_.send(nullptr);
    fill_timed<kWarm>(ring, Temperature::kWarm, unregister_table(ring));
  }

  SlotSet check_slots(const Fill& fill, CheckReport& report) const {
    SlotSet filled(options().slots, false);
    sender_.check_fill(fill, filled, report);
    check_all_filled(filled, report);
    return filled;
  }

  /// Per install, pair by pair.
  std::vector<double> costs(Temperature temperature) const {
    std::vector<double> all;
    for (const TimedFill& fill : fills_) {
      if (fill.history.claimed == temperature) {
        all.push_back(static_cast<double>(fill.sample.elapsed()) / options().slots);
      }
    }
    return all;
  }

  FdSender sender_;
  std::vector<uring::Ring> rings_;
  std::vector<TimedFill> fills_;
  std::vector<Fill> warm_ups_;
  std::exception_ptr failure_;
};

}  // namespace

const Entry kCache{.name = "cache",
                   .summary =
                       "first fills of new rings against fills of rings filled before, in "
                       "--replicates pairs a round",
                   .phases = kPhases,
                   .minimum_kernel = "6.0",
                   .parameters = kParameters,
                   .defaults = kDefaults,
                   .kernel_functions = kSendFdFunctions,
                   .make = construct<Cache>};

}  // namespace msgring::workload
