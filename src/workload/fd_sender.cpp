// SPDX-License-Identifier: MIT
#include "workload/fd_sender.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "msgring/uring/abi.hpp"
#include "msgring/uring/send_fd_trial.hpp"
#include "workload/sentinel_file.hpp"

namespace msgring::workload {
namespace {

/// The report's ring size; a larger batch grows the ring.
constexpr std::uint32_t kEntries = 256;

uring::RingSetup source_setup(const Options& options) {
  return {std::max(kEntries, std::bit_ceil(options.batch)), 0, setup_flags(options.source_profile)};
}

uring::RingSetup target_setup(const Options& options) {
  // By default a CQ holds twice the SQ's entries; only a batch beyond that needs to ask for more.
  const std::uint32_t cq = options.batch <= 2 * kEntries ? 0 : std::bit_ceil(options.batch);
  return {kEntries, cq, setup_flags(options.target_profile)};
}

}  // namespace

FdSender::FdSender(const Options& options, std::uint32_t most_installs)
    : options_(options),
      file_(make_sentinel_file()),
      source_(source_setup(options), "source ring"),
      target_reports_slot_(
          uring::try_send_fd(source_setup(options), target_setup(options)).target_reports_slot),
      source_log_(most_installs),
      target_log_(options.target_completion == TargetCompletion::kPosted ? most_installs : 0),
      source_results_(most_installs),
      target_results_(options.target_completion == TargetCompletion::kPosted ? most_installs : 0) {
  const std::array<int, 1> fds{file_.get()};
  source_.register_files(fds);
}

uring::Ring FdSender::make_target() const {
  return uring::Ring(target_setup(options_), "target ring");
}

std::uint64_t FdSender::source_base() const noexcept {
  return user_data_base(Stream::kSource, round_);
}

std::uint64_t FdSender::target_base() const noexcept {
  return user_data_base(Stream::kTarget, round_);
}

SqeShape FdSender::shape_for(const uring::Ring& target) const {
  io_uring_sqe sqe{};
  io_uring_prep_rw(IORING_OP_MSG_RING, &sqe, target.fd(), nullptr, 0, 0);
  sqe.addr = uring::kMsgSendFd;
  sqe.addr3 = 0;  // the source's fixed slot 0
  sqe.file_index = uring::kFileIndexAlloc;
  if (options_.target_completion == TargetCompletion::kSkipped) {
    sqe.msg_ring_flags = uring::kMsgRingCqeSkip;
  }
  return SqeShape(sqe);
}

void FdSender::arm(uring::Ring& target, std::uint32_t installs, std::uint32_t first_slot) {
  ++round_;
  first_slot_ = first_slot;
  source_log_.reset();
  target_log_.reset();
  enters_ = {};
  aim_.emplace(source_, source_log_, options_, installs, shape_for(target));
  if (options_.target_completion == TargetCompletion::kPosted) {
    aim_->target.emplace(target, options_.timeout_s, target_log_);
  }
}

void FdSender::send() noexcept {
  Reaper* const target = aim_->target ? &*aim_->target : nullptr;
  const std::uint64_t for_source = source_base();
  const std::uint64_t for_target = target_base();
  const std::uint32_t first_index = first_slot_ + 1;  // the kernel counts slots from 1 here
  if (options_.slot_mode == SlotMode::kAlloc) {
    run_batches(aim_->submission, aim_->source, target, aim_->shape, aim_->installs, options_.batch,
                enters_, [=](io_uring_sqe& sqe, std::uint32_t number) noexcept {
                  sqe.off = for_target + number;
                  sqe.user_data = for_source + number;
                });
  } else {
    run_batches(aim_->submission, aim_->source, target, aim_->shape, aim_->installs, options_.batch,
                enters_, [=](io_uring_sqe& sqe, std::uint32_t number) noexcept {
                  sqe.off = for_target + number;
                  sqe.user_data = for_source + number;
                  sqe.file_index = first_index + number;
                });
  }
}

SlotReport FdSender::slot_report() const noexcept {
  if (options_.slot_mode == SlotMode::kExplicit) {
    return SlotReport::kNeither;
  }
  return target_reports_slot_ ? SlotReport::kBoth : SlotReport::kSender;
}

void FdSender::check(SlotSet& filled, CheckReport& report) {
  const auto installs = aim_->installs;
  const auto source = std::span(source_results_).first(installs);
  const auto target = std::span(target_results_).first(aim_->target ? installs : 0);
  check_enters(enters_, report);
  check_stream(source_log_.entries(), source_base(), kSourceStream, source, report);
  if (aim_->target) {
    check_stream(target_log_.entries(), target_base(), kTargetStream, target, report);
  }
  check_installs(source, target,
                 {static_cast<std::uint32_t>(filled.size()), slot_report(), first_slot_}, filled,
                 report);
  check_ring(state_of(source_), report);
}

std::vector<std::pair<std::string, std::string>> FdSender::facts() const {
  const uring::Ring target = make_target();
  return {{"source_setup_flags", fmt::format("{:#x}", source_.flags())},
          {"source_sq_entries", std::to_string(source_.sq_entries())},
          {"source_cq_entries", std::to_string(source_.cq_entries())},
          {"target_setup_flags", fmt::format("{:#x}", target.flags())},
          {"target_sq_entries", std::to_string(target.sq_entries())},
          {"target_cq_entries", std::to_string(target.cq_entries())},
          {"target_reports_slot", target_reports_slot_ ? "yes" : "no"}};
}

}  // namespace msgring::workload
