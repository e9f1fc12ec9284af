// SPDX-License-Identifier: MIT
#include "workload/file_update.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "msgring/host/fd.hpp"
#include "workload/batch_runner.hpp"
#include "workload/call_results.hpp"
#include "workload/phased_workload.hpp"
#include "workload/read_back.hpp"
#include "workload/register_call.hpp"
#include "workload/sentinel_file.hpp"
#include "workload/table_checks.hpp"
#include "workload/trial.hpp"

namespace msgring::workload {
namespace {

constexpr std::array<std::string_view, 5> kFunctions{"__io_register_rsrc_update", "io_files_update",
                                                     "io_rsrc_node_alloc", "io_cache_alloc_new",
                                                     "io_free_rsrc_node"};
constexpr std::array kPhases{PhaseInfo{"update", "update"}};
constexpr std::array kOperationParameters{Parameter::kSlots, Parameter::kBatch,
                                          Parameter::kOperations};
constexpr std::array kRegisterParameters{Parameter::kSlots, Parameter::kOperations};

/// The shape of the 2023 series: a table of 128, 32 updates deep.
constexpr Options kDefaults{.slots = 128, .batch = 32};

/// Enough files that a misplaced update is seen by its content, few enough to stay in cache.
constexpr std::uint8_t kFiles = 16;

uring::RingSetup setup(const Options& options) {
  return submitting_ring(options.batch, RingProfile::kDeferTaskrun);
}

/// One update as the kernel takes it: the operation's `addr` points at `fd`.
struct PlannedUpdate {
  std::uint32_t slot;
  std::int32_t fd;
};

SqeShape update_shape() {
  io_uring_sqe sqe{};
  io_uring_prep_rw(IORING_OP_FILES_UPDATE, &sqe, -1, nullptr, 1, 0);
  return SqeShape(sqe);
}

/// What both ways of updating share: files, the plan, a full table on a registered ring, checks.
class FileUpdate : public PhasedWorkload {
 public:
  explicit FileUpdate(const Options& options)
      : PhasedWorkload(options, kPhases, options.operations),
        updates_(random_updates(options.operations, options.slots, kFiles)),
        plan_(options.operations) {
    for (std::uint8_t number = 0; number < kFiles; ++number) {
      files_.push_back(make_sentinel_file(number));
    }
    for (std::uint32_t number = 0; number < options.operations; ++number) {
      const Update& update = updates_[number];
      plan_.data()[number] = {update.slot, files_[update.content].get()};
    }
  }

  void prepare() override {
    ring_.emplace(demand_ring(setup(options()), "ring", "needs Linux 6.1 or newer"));
    ring_->register_files(std::vector<int>(options().slots, files_[0].get()));
    ring_->register_ring_fd();
    expect({options().operations});
  }

  void teardown() noexcept override { ring_.reset(); }

  std::vector<std::pair<std::string, std::string>> facts() const override {
    return {{"setup_flags", fmt::format("{:#x}", setup(options()).flags)},
            {"sq_entries", std::to_string(setup(options()).sq_entries)},
            {"registered_ring_fd", "yes"}};
  }

 protected:
  uring::Ring& ring() noexcept { return *ring_; }
  const PlannedUpdate* plan() const noexcept { return plan_.data(); }

  void check_table(std::span<const std::int32_t> results, std::uint32_t round,
                   CheckReport& report) {
    check_updates(results, report);
    read_back_table(*ring_, contents_after(updates_, options().slots), round, options().timeout_s,
                    report);
    check_ring(state_of(*ring_), report);
  }

 private:
  std::vector<host::FileDescriptor> files_;
  std::vector<Update> updates_;
  MappedArray<PlannedUpdate> plan_;
  std::optional<uring::Ring> ring_;
};

class FileUpdateByOperation final : public FileUpdate {
 public:
  explicit FileUpdateByOperation(const Options& options)
      : FileUpdate(options), runner_(options, options.operations, Streams::kSource) {
    try_update(options);
  }

  void prepare() override {
    FileUpdate::prepare();
    runner_.restart();
    runner_.aim(ring(), nullptr, update_shape(), options().operations);
  }

  void run() noexcept override {
    time_phase<0>([&] {
      const std::uint64_t base = runner_.source_base();
      const PlannedUpdate* const all = plan();
      runner_.run(tails(0), [=](io_uring_sqe& sqe, std::uint32_t number) noexcept {
        sqe.off = all[number].slot;
        sqe.addr = reinterpret_cast<std::uintptr_t>(&all[number].fd);
        sqe.user_data = base + number;
      });
    });
  }

  void check(CheckReport& report) override {
    runner_.check(report);
    check_table(runner_.source_results(), runner_.round(), report);
  }

  EnterLog enters() const noexcept override { return runner_.enters(); }

 private:
  static void try_update(const Options& options) {
    uring::Ring ring = demand_ring(setup(options), "ring (trial)", "needs Linux 6.1 or newer");
    ring.register_files(std::array{-1});
    const std::int32_t nothing = -1;
    io_uring_sqe sqe{};
    io_uring_prep_rw(IORING_OP_FILES_UPDATE, &sqe, -1, &nothing, 1, 0);
    demand_operation(ring, SqeShape(sqe), 1, "IORING_OP_FILES_UPDATE", "needs Linux 5.6 or newer");
  }

  BatchRunner runner_;
};

class FileUpdateByRegister final : public FileUpdate {
 public:
  explicit FileUpdateByRegister(const Options& options)
      : FileUpdate(options), results_(options.operations) {}

  void prepare() override {
    FileUpdate::prepare();
    results_.reset();
    ++round_;
  }

  void run() noexcept override {
    time_phase<0>([&] {
      results_.record(tails(0), options().batch, [&](std::uint32_t number) noexcept {
        return update_files(ring(), plan()[number].slot, &plan()[number].fd, 1);
      });
    });
  }

  void check(CheckReport& report) override { check_table(results_.results(), round_, report); }

  EnterLog enters() const noexcept override { return {}; }

 private:
  CallResults results_;
  std::uint32_t round_ = 0;
};

}  // namespace

const Entry kFileUpdate{
    .name = "file_update",
    .summary = "IORING_OP_FILES_UPDATE, one random slot of a full table per SQE",
    .phases = kPhases,
    .minimum_kernel = "6.1",
    .parameters = kOperationParameters,
    .defaults = kDefaults,
    .kernel_functions = kFunctions,
    .make = construct<FileUpdateByOperation>};

const Entry kFileUpdateRegister{
    .name = "file_update_register",
    .summary = "the same by IORING_REGISTER_FILES_UPDATE, one random slot per call",
    .phases = kPhases,
    .minimum_kernel = "6.1",
    .parameters = kRegisterParameters,
    .defaults = kDefaults,
    .kernel_functions = kFunctions,
    .make = construct<FileUpdateByRegister>};

}  // namespace msgring::workload
