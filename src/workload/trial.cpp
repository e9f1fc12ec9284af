// SPDX-License-Identifier: MIT
#include "workload/trial.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

#include "msgring/error.hpp"

namespace msgring::workload {
namespace {

constexpr std::int64_t kTrialTimeoutSeconds = 5;

/// Does a kernel say so of an operation, a flag or a field that it does not know?
bool is_unknown(std::int32_t result) noexcept {
  return result == -EINVAL || result == -EOPNOTSUPP || result == -ENOSYS;
}

}  // namespace

Trial try_operation(uring::Ring& ring, const SqeShape& shape) {
  CompletionLog log(1);
  SubmissionQueue submission(ring);
  Reaper reaper(ring, kTrialTimeoutSeconds, log);
  submission.publish(shape, 0, 1, [](io_uring_sqe&, std::uint32_t) noexcept {});
  const int submitted = reaper.enter(1, 0);
  if (submitted < 0) {
    throw_system_error(-submitted, "io_uring_enter", ring.role() + ", trial");
  }
  reaper.queue.drain(log);
  const bool at_once = log.count() == 1;
  if (!at_once) {
    reaper.enter(0, 1);
    reaper.queue.drain(log);
  }
  if (log.count() == 0) {
    throw Error(ExitStatus::kInvalid, ring.role() + ": a trial operation never completed");
  }
  return {log.entries()[0].result, at_once};
}

Trial demand_operation(uring::Ring& ring, const SqeShape& shape, std::int32_t due,
                       const std::string& what, const std::string& hint) {
  const Trial trial = try_operation(ring, shape);
  if (trial.result != due) {
    const bool lacks = is_unknown(trial.result);
    throw Error(lacks ? ExitStatus::kEnvironment : ExitStatus::kInvalid,
                fmt::format("{}: a trial gave {}, {} is due", what, result_text(trial.result),
                            result_text(due)),
                lacks ? hint : "this kernel knows the operation and does something else");
  }
  return trial;
}

uring::Ring demand_ring(const uring::RingSetup& setup, const std::string& role,
                        const std::string& hint) {
  try {
    return {setup, role};
  } catch (const std::system_error& error) {
    if (error.code().value() != EINVAL) {
      throw;
    }
    throw Error(ExitStatus::kEnvironment, error.what(), hint);
  }
}

}  // namespace msgring::workload
