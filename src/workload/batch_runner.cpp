// SPDX-License-Identifier: MIT
#include "workload/batch_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "msgring/error.hpp"

namespace msgring::workload {
namespace {

/// The report's ring size; a larger batch grows the ring.
constexpr std::uint32_t kEntries = 256;

/// Operations are numbered with 32 bits.
std::uint32_t numbered(std::uint64_t operations) {
  if (operations > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(ExitStatus::kUsage, fmt::format("{} operations in one round", operations),
                "ask for fewer slots, operations or replicates: at most 4294967295 in a round");
  }
  return static_cast<std::uint32_t>(operations);
}

}  // namespace

uring::RingSetup submitting_ring(std::uint32_t batch, RingProfile profile) noexcept {
  return {std::max(kEntries, std::bit_ceil(batch)), 0, setup_flags(profile)};
}

uring::RingSetup receiving_ring(std::uint32_t batch, RingProfile profile) noexcept {
  const std::uint32_t cq = batch <= 2 * kEntries ? 0 : std::bit_ceil(batch);
  return {kEntries, cq, setup_flags(profile)};
}

BatchRunner::BatchRunner(const Options& options, std::uint64_t most_operations, Streams streams)
    : batch_(options.batch),
      timeout_s_(options.timeout_s),
      source_log_(numbered(most_operations)),
      target_log_(streams == Streams::kSource ? 0 : numbered(most_operations)),
      source_results_(source_log_.room()),
      target_results_(target_log_.room()) {}

void BatchRunner::restart() noexcept {
  ++round_;
  next_ = 0;
  source_log_.reset();
  target_log_.reset();
  enters_ = {};
  aim_.reset();
}

void BatchRunner::aim(uring::Ring& source, uring::Ring* target, const SqeShape& shape,
                      std::uint32_t count) noexcept {
  aim_.emplace(source, timeout_s_, source_log_, Stretch{shape, next_, count, batch_});
  if (target != nullptr && !target_results_.empty()) {
    aim_->target.emplace(*target, timeout_s_, target_log_);
  }
  next_ += count;
}

void BatchRunner::check(CheckReport& report) {
  check_enters(enters_, report);
  check_stream(source_log_.entries(), source_base(), kSourceStream,
               std::span(source_results_).first(next_), report);
  if (!target_results_.empty()) {
    check_stream(target_log_.entries(), target_base(), kTargetStream,
                 std::span(target_results_).first(next_), report);
  }
}

std::span<const std::int32_t> BatchRunner::source_results() const noexcept {
  return std::span(source_results_).first(next_);
}

std::span<const std::int32_t> BatchRunner::target_results() const noexcept {
  return std::span(target_results_).first(target_results_.empty() ? 0 : next_);
}

}  // namespace msgring::workload
