// SPDX-License-Identifier: MIT
#include "workload/fd_sender.hpp"

#include <fmt/format.h>

#include "msgring/error.hpp"
#include "msgring/uring/abi.hpp"
#include "msgring/uring/send_fd_trial.hpp"
#include "workload/sentinel_file.hpp"

namespace msgring::workload {
namespace {

std::vector<host::FileDescriptor> make_files(std::uint8_t count) {
  std::vector<host::FileDescriptor> files;
  for (std::uint8_t number = 0; number < count; ++number) {
    files.push_back(make_sentinel_file(number));
  }
  return files;
}

}  // namespace

FdSender::FdSender(const Options& options, std::uint64_t most_installs, std::uint8_t files)
    : options_(options),
      files_(make_files(files)),
      source_(submitting_ring(options.batch, options.source_profile), "source ring"),
      target_reports_slot_(
          uring::try_send_fd(submitting_ring(options.batch, options.source_profile),
                             receiving_ring(options.batch, options.target_profile))
              .target_reports_slot),
      runner_(options, most_installs,
              options.target_completion == TargetCompletion::kPosted ? Streams::kSourceAndTarget
                                                                     : Streams::kSource) {
  std::vector<int> fds;
  for (const host::FileDescriptor& file : files_) {
    fds.push_back(file.get());
  }
  source_.register_files(fds);
}

uring::Ring FdSender::make_target() const {
  return {receiving_ring(options_.batch, options_.target_profile), "target ring"};
}

SqeShape FdSender::shape_for(const uring::Ring& target, std::uint8_t file) const noexcept {
  io_uring_sqe sqe{};
  io_uring_prep_rw(IORING_OP_MSG_RING, &sqe, target.fd(), nullptr, 0, 0);
  sqe.addr = uring::kMsgSendFd;
  sqe.addr3 = file;  // its fixed slot in the source ring
  sqe.file_index = uring::kFileIndexAlloc;
  if (options_.target_completion == TargetCompletion::kSkipped) {
    sqe.msg_ring_flags = uring::kMsgRingCqeSkip;
  }
  return SqeShape(sqe);
}

Fill FdSender::aim(uring::Ring& target, Fill fill) noexcept {
  fill.first_number = runner_.next();
  first_index_ = 1 - fill.first_number;  // the kernel counts slots from 1 here
  runner_.aim(source_, &target, shape_for(target, fill.file), fill.installs);
  return fill;
}

void FdSender::send(BatchTimes* times) noexcept {
  const std::uint64_t for_source = runner_.source_base();
  const std::uint64_t for_target = runner_.target_base();
  const std::uint32_t first_index = first_index_;
  if (options_.slot_mode == SlotMode::kAlloc) {
    runner_.run(times, [=](io_uring_sqe& sqe, std::uint32_t number) noexcept {
      sqe.off = for_target + number;
      sqe.user_data = for_source + number;
    });
  } else {
    runner_.run(times, [=](io_uring_sqe& sqe, std::uint32_t number) noexcept {
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

void FdSender::check(CheckReport& report) {
  runner_.check(report);
  check_ring(state_of(source_), report);
}

void FdSender::check_fill(const Fill& fill, SlotSet& filled, CheckReport& report) const {
  const auto target = runner_.target_results();
  check_installs(runner_.source_results().subspan(fill.first_number, fill.installs),
                 target.empty() ? target : target.subspan(fill.first_number, fill.installs),
                 {static_cast<std::uint32_t>(filled.size()), slot_report()}, filled, report);
}

SlotSet FdSender::fill_untimed(uring::Ring& target, const Fill& fill, std::uint32_t slots) {
  SlotSet filled(slots, false);
  CheckReport report;
  restart();
  const Fill aimed = aim(target, fill);
  send(nullptr);
  check(report);
  check_fill(aimed, filled, report);
  if (!report.passed()) {
    throw Error(ExitStatus::kInvalid, "the fill before the timed phases: " + report.summary());
  }
  return filled;
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
