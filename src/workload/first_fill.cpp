// SPDX-License-Identifier: MIT
#include "workload/first_fill.hpp"

#include <array>
#include <optional>

#include "msgring/host/clock.hpp"
#include "workload/fd_sender.hpp"
#include "workload/read_back.hpp"

namespace msgring::workload {
namespace {

constexpr std::array kPhases{PhaseInfo{"fill", "install"}};

class FirstFill final : public Workload {
 public:
  explicit FirstFill(const Options& options) : options_(options), sender_(options, options.slots) {}

  void prepare() override {
    target_.emplace(sender_.make_target());
    target_->register_sparse_files(options_.slots);
    sender_.arm(*target_, options_.slots);
    samples_[0] = {0, 0, options_.slots};
  }

  void run() noexcept override {
    samples_[0].begin = host::read_clock(options_.clock);
    host::mark_phase_begin<0>();
    sender_.send();
    host::mark_phase_end<0>();
    samples_[0].end = host::read_clock(options_.clock);
  }

  void check(CheckReport& report) override {
    SlotSet filled(options_.slots, false);
    sender_.check(filled, report);
    check_all_filled(filled, report);
    read_back_table(*target_, filled, sender_.round(), options_.timeout_s, report);
    check_ring(state_of(*target_), report);
  }

  void teardown() noexcept override { target_.reset(); }

  std::span<const PhaseSample> samples() const noexcept override { return samples_; }
  EnterLog enters() const noexcept override { return sender_.enters(); }
  std::vector<std::pair<std::string, std::string>> facts() const override {
    return sender_.facts();
  }

 private:
  Options options_;
  FdSender sender_;
  std::optional<uring::Ring> target_;
  std::array<PhaseSample, 1> samples_{};
};

}  // namespace

const Entry kFirstFill{"first_fill",
                       "fill the empty sparse table of a fresh target ring by SEND_FD (the report)",
                       kPhases, "6.0", [](const Options& options) -> std::unique_ptr<Workload> {
                         return std::make_unique<FirstFill>(options);
                       }};

}  // namespace msgring::workload
