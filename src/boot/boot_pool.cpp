// SPDX-License-Identifier: MIT
// Threads that take one boot after the other.
#include "boot_pool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <thread>

#include "msgring/host/temporary_folder.hpp"
#include "msgring/host/whole_file.hpp"
#include "msgring/point/assemble.hpp"

namespace msgring::boot {
namespace {

namespace fs = std::filesystem;

/// A boot's initramfs, its console and its point need less.
constexpr std::uintmax_t kNeededBytes = std::uintmax_t{64} << 20;

/// Passes a machine's observations on, with the boot's name and one at a time.
class NamedObserver : public BootObserver {
 public:
  NamedObserver(const PlannedBoot& boot, RunObserver& observer, std::mutex& mutex)
      : boot_(boot), observer_(observer), mutex_(mutex) {}
  void on_phase(BootPhase phase) override {
    const std::scoped_lock lock(mutex_);
    observer_.on_phase(boot_, phase);
  }
  void on_log(std::string_view line) override {
    const std::scoped_lock lock(mutex_);
    observer_.on_log(boot_, line);
  }

 private:
  const PlannedBoot& boot_;
  RunObserver& observer_;
  std::mutex& mutex_;
};

bool has_option(const std::vector<std::string>& arguments, std::string_view option) {
  return std::any_of(arguments.begin(), arguments.end(), [option](const std::string& argument) {
    return argument == option || argument.rfind(std::string(option) + "=", 0) == 0;
  });
}

std::string loss_text(const BootFailure& failure) {
  std::string text = fmt::format("{}\n\nthe console's last lines:\n", failure.what());
  for (const std::string& line : failure.console_tail()) {
    text += line + "\n";
  }
  return text;
}

}  // namespace

BootRequest boot_request(const PlannedBoot& boot, const Plan& plan, const RunSetup& setup,
                         const RunIdentity& identity, host::Unit unit, unsigned attempt) {
  const RunFolder folder(setup.folder);
  BootRequest request;
  request.name = boot.name;
  request.role = boot.role;
  request.seed = boot.seed;
  request.kernel = identity.kernels.at(boot.role).kernel;
  request.append = plan.role(boot.role).append;
  request.arguments = plan.arguments;
  if (unit == host::Unit::kInstructions && !has_option(request.arguments, "--clock")) {
    request.arguments.insert(request.arguments.begin(), {"--clock", "tsc"});
  }
  request.emulator_arguments = setup.emulator_arguments;
  request.console_log = folder.console_file(boot.name, attempt);
  request.scratch = folder.path() / fmt::format(".{}", boot.name);
  return request;
}

BootPool::BootPool(const Plan& plan, const RunSetup& setup, const RunIdentity& identity,
                   Driver& driver, RunObserver& observer, std::stop_token stop)
    : plan_(plan),
      setup_(setup),
      identity_(identity),
      driver_(driver),
      observer_(observer),
      folder_(setup.folder),
      outer_stop_(std::move(stop)) {
  for (const PlannedBoot& boot : planned_boots(plan, identity.unit)) {
    if (!folder_.has_point(boot.name) && driver.earlier_losses(boot.name) <= plan.retries) {
      waiting_.push_back(boot);
    }
  }
}

unsigned BootPool::workers() const {
  const unsigned cpus = std::max(1U, std::thread::hardware_concurrency());
  unsigned workers = plan_.jobs == 0 ? cpus : plan_.jobs;
  if (const unsigned most = driver_.most_parallel_boots(); most != 0) {
    workers = std::min(workers, most);
  }
  return std::min<unsigned>(workers, static_cast<unsigned>(waiting_.size()));
}

void BootPool::run() {
  const std::stop_callback forward(outer_stop_, [this] { stop_.request_stop(); });
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < workers(); ++i) {
      threads.emplace_back([this] { work(); });
    }
  }
  if (first_error_) {
    std::rethrow_exception(first_error_);
  }
  if (outer_stop_.stop_requested()) {
    throw Error(ExitStatus::kInterrupted, "interrupted", "--resume goes on from here");
  }
}

void BootPool::work() {
  try {
    while (const auto boot = take()) {
      boot_with_retries(*boot);
    }
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    if (!first_error_) {
      first_error_ = std::current_exception();
    }
    stop_.request_stop();
  }
}

std::optional<PlannedBoot> BootPool::take() {
  const std::scoped_lock lock(mutex_);
  if (stop_.stop_requested() || next_ == waiting_.size()) {
    return std::nullopt;
  }
  return waiting_[next_++];
}

void BootPool::boot_with_retries(const PlannedBoot& boot) {
  for (unsigned tries = driver_.earlier_losses(boot.name);; ++tries) {
    const unsigned attempt = folder_.next_attempt(boot.name);
    try {
      boot_once(boot, attempt);
      return;
    } catch (const BootFailure& failure) {
      const bool will_retry = tries < plan_.retries;
      keep_loss(boot, attempt, failure);
      const std::scoped_lock lock(mutex_);
      observer_.on_lost(boot, failure, will_retry);
      if (!will_retry) {
        return;
      }
    }
  }
}

void BootPool::check_space() const {
  const fs::space_info space = fs::space(folder_.path());
  if (space.available < kNeededBytes) {
    throw Error(ExitStatus::kEnvironment,
                fmt::format("{}: the disk is full: {} MiB are left, a boot needs {}",
                            folder_.path().native(), space.available >> 20, kNeededBytes >> 20),
                "make room, then --resume");
  }
}

void BootPool::boot_once(const PlannedBoot& boot, unsigned attempt) {
  check_space();
  const BootRequest request = boot_request(boot, plan_, setup_, identity_, identity_.unit, attempt);
  // What a killed run left there is of no use.
  fs::remove_all(request.scratch);
  fs::create_directory(request.scratch);
  const host::FolderCleanup cleanup(request.scratch);
  {
    const std::scoped_lock lock(mutex_);
    observer_.on_start(boot, attempt);
  }
  NamedObserver observer(boot, observer_, mutex_);
  const auto machine = driver_.make_machine(request, stop_.get_token());
  machine->boot(observer);
  machine->run(observer);
  keep(boot, attempt, machine->fetch(observer));
  const std::scoped_lock lock(mutex_);
  observer_.on_measured(boot);
}

void BootPool::keep(const PlannedBoot& boot, unsigned attempt, const BootResult& result) {
  std::vector<std::pair<std::string, std::string>> facts(result.facts.begin(), result.facts.end());
  const ResolvedKernel& kernel = identity_.kernels.at(boot.role);
  facts.insert(
      facts.end(),
      {{"boot.index", boot.name},
       {"boot.role", std::string(1, boot.role)},
       {"boot.kernel", fmt::format("{} sha256 {}", kernel.kernel.image.native(), kernel.sha256)},
       {"boot.attempts", fmt::format("{} ({} lost)", attempt, folder_.lost_attempts(boot.name))}});
  const std::map<std::string, std::string>& known = plan_.role(boot.role).facts;
  facts.insert(facts.end(), known.begin(), known.end());
  for (const Frame& addition : result.additions) {
    const fs::path file = folder_.addition_file(boot.name, addition.kind);
    // A run that was killed between an addition and its point measures the boot again.
    fs::remove(file);
    host::write_new_file(file, addition.payload);
  }
  // Last, since a point that is there ends the boot.
  host::write_new_file(folder_.point_file(boot.name),
                       point::assemble_point(result.point_text, facts, identity_.unit));
}

void BootPool::keep_loss(const PlannedBoot& boot, unsigned attempt, const BootFailure& failure) {
  host::write_new_file(folder_.lost_file(boot.name, attempt), loss_text(failure));
}

}  // namespace msgring::boot
