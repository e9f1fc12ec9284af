// SPDX-License-Identifier: MIT
#include "workload/futex_rearm.hpp"

#include <fmt/format.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <optional>
#include <string_view>

#include "msgring/uring/abi.hpp"
#include "workload/batch_runner.hpp"
#include "workload/futex_checks.hpp"
#include "workload/phased_workload.hpp"
#include "workload/trial.hpp"

namespace msgring::workload {
namespace {

constexpr std::array<std::string_view, 4> kFunctions{"io_futex_wait", "io_futex_cache_alloc",
                                                     "io_cache_alloc_new", "futex_wait_setup"};
constexpr std::array kPhases{PhaseInfo{"rearm", "rearm"}};
constexpr std::array kParameters{Parameter::kBatch, Parameter::kOperations,
                                 Parameter::kSourceProfile};
constexpr Options kDefaults{.operations = 100'000};

constexpr std::uint32_t kWord = 0;
constexpr std::uint64_t kExpected = 1;

class FutexRearm final : public PhasedWorkload {
 public:
  explicit FutexRearm(const Options& options)
      : PhasedWorkload(options, kPhases, options.operations),
        runner_(options, options.operations, Streams::kSource) {
    uring::Ring ring = make_ring();
    demand_operation(ring, shape(), -EAGAIN, "IORING_OP_FUTEX_WAIT", "needs Linux 6.7 or newer");
  }

  void prepare() override {
    ring_.emplace(make_ring());
    runner_.restart();
    runner_.aim(*ring_, nullptr, shape(), options().operations);
    expect({options().operations});
  }

  void run() noexcept override {
    time_phase<0>([&] {
      const std::uint64_t base = runner_.source_base();
      runner_.run(tails(0), [=](io_uring_sqe& sqe, std::uint32_t number) noexcept {
        sqe.user_data = base + number;
      });
    });
  }

  void check(CheckReport& report) override {
    runner_.check(report);
    const long woken =
        ::syscall(SYS_futex, &word_, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
    check_arms(runner_.source_results(), woken, report);
    check_ring(state_of(*ring_), report);
  }

  void teardown() noexcept override { ring_.reset(); }

  EnterLog enters() const noexcept override { return runner_.enters(); }
  std::vector<std::pair<std::string, std::string>> facts() const override {
    return {{"setup_flags", fmt::format("{:#x}", setup_flags(options().source_profile))}};
  }

 private:
  uring::Ring make_ring() const {
    return {submitting_ring(options().batch, options().source_profile), "ring"};
  }

  SqeShape shape() const {
    io_uring_sqe sqe{};
    io_uring_prep_rw(uring::kOpFutexWait, &sqe, uring::kFutex2SizeU32 | uring::kFutex2Private,
                     &word_, 0, kExpected);
    sqe.addr3 = FUTEX_BITSET_MATCH_ANY;
    return SqeShape(sqe);
  }

  std::uint32_t word_ = kWord;
  BatchRunner runner_;
  std::optional<uring::Ring> ring_;
};

}  // namespace

const Entry kFutexRearm{
    .name = "futex_rearm",
    .summary = "IORING_OP_FUTEX_WAIT that cannot arm, since its word never matches: EAGAIN each",
    .phases = kPhases,
    .minimum_kernel = "6.7",
    .parameters = kParameters,
    .defaults = kDefaults,
    .kernel_functions = kFunctions,
    .make = construct<FutexRearm>};

}  // namespace msgring::workload
