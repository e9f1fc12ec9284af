// SPDX-License-Identifier: MIT
#include "workload/buffer_update.hpp"

#include <fmt/format.h>
#include <sys/uio.h>

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "msgring/error.hpp"
#include "msgring/host/fd.hpp"
#include "workload/batch_runner.hpp"
#include "workload/buffer_read_back.hpp"
#include "workload/call_results.hpp"
#include "workload/phased_workload.hpp"
#include "workload/register_call.hpp"
#include "workload/sentinel_file.hpp"
#include "workload/table_checks.hpp"
#include "workload/trial.hpp"

namespace msgring::workload {
namespace {

constexpr std::array<std::string_view, 5> kFunctions{"__io_register_rsrc_update",
                                                     "io_sqe_buffer_register", "io_rsrc_node_alloc",
                                                     "io_cache_alloc_new", "io_free_rsrc_node"};
constexpr std::array kPhases{PhaseInfo{"update", "update"}};
constexpr std::array kParameters{Parameter::kSlots, Parameter::kOperations};
constexpr Options kDefaults{.slots = 128, .batch = 32};
constexpr std::uint8_t kPages = 16;

uring::RingSetup setup(const Options& options) {
  return submitting_ring(options.batch, RingProfile::kDeferTaskrun);
}

class BufferUpdate final : public PhasedWorkload {
 public:
  explicit BufferUpdate(const Options& options)
      : PhasedWorkload(options, kPhases, options.operations),
        pages_(kPages),
        updates_(random_updates(options.operations, options.slots, kPages)),
        results_(options.operations) {
    try_update();
  }

  void prepare() override {
    ring_.emplace(demand_ring(setup(options()), "ring", "needs Linux 6.1 or newer"));
    register_buffers(*ring_, std::vector<iovec>(options().slots, pages_.buffer(0)));
    ring_->register_ring_fd();
    results_.reset();
    ++round_;
    expect({options().operations});
  }

  void run() noexcept override {
    time_phase<0>([&] {
      results_.record(tails(0), options().batch, [&](std::uint32_t number) noexcept {
        const Update& update = updates_[number];
        return update_buffer(*ring_, update.slot, pages_.buffer(update.content));
      });
    });
  }

  void check(CheckReport& report) override {
    check_updates(results_.results(), report);
    read_back_buffers(*ring_, contents_after(updates_, options().slots), pages_, round_,
                      options().timeout_s, report);
    check_ring(state_of(*ring_), report);
  }

  void teardown() noexcept override { ring_.reset(); }

  EnterLog enters() const noexcept override { return {}; }
  std::vector<std::pair<std::string, std::string>> facts() const override {
    return {{"setup_flags", fmt::format("{:#x}", setup(options()).flags)},
            {"buffer_bytes", std::to_string(kSentinelBytes)}};
  }

 private:
  static void register_buffers(uring::Ring& ring, const std::vector<iovec>& buffers) {
    const std::int32_t result = register_call(ring, IORING_REGISTER_BUFFERS, buffers.data(),
                                              static_cast<unsigned>(buffers.size()));
    if (result < 0) {
      throw_system_error(-result, "io_uring_register(BUFFERS)",
                         fmt::format("{} buffers of {} bytes, which count against RLIMIT_MEMLOCK "
                                     "of this user",
                                     buffers.size(), kSentinelBytes));
    }
  }

  void try_update() const {
    uring::Ring ring = demand_ring(setup(options()), "ring (trial)", "needs Linux 6.1 or newer");
    register_buffers(ring, {pages_.buffer(0)});
    if (const std::int32_t result = update_buffer(ring, 0, pages_.buffer(1)); result != 1) {
      throw Error(
          ExitStatus::kEnvironment,
          fmt::format("IORING_REGISTER_BUFFERS_UPDATE: a trial gave {}", result_text(result)),
          "needs Linux 5.13 or newer");
    }
  }

  SentinelPages pages_;
  std::vector<Update> updates_;
  CallResults results_;
  std::optional<uring::Ring> ring_;
  std::uint32_t round_ = 0;
};

}  // namespace

const Entry kBufferUpdate{
    .name = "buffer_update",
    .summary = "IORING_REGISTER_BUFFERS_UPDATE, one random 4 KiB buffer of a full table per call",
    .phases = kPhases,
    .minimum_kernel = "6.1",
    .parameters = kParameters,
    .defaults = kDefaults,
    .kernel_functions = kFunctions,
    .most_slots = uring::kMaxFixedBuffers,
    .make = construct<BufferUpdate>};

}  // namespace msgring::workload
