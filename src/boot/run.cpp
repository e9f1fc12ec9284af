// SPDX-License-Identifier: MIT
// Carrying out a plan.
#include "msgring/boot/run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "boot_pool.hpp"
#include "msgring/boot/run_lock.hpp"
#include "msgring/host/sha256.hpp"
#include "msgring/host/whole_file.hpp"
#include "run_identity.hpp"

namespace msgring::boot {
namespace {

namespace fs = std::filesystem;

DriverSetup driver_setup(const Plan& plan, const RunSetup& setup, const RunIdentity& identity) {
  DriverSetup result;
  result.bench_program = setup.bench_program;
  result.memory_mib = plan.memory_mib;
  result.deadlines = plan.deadlines;
  result.memory = identity.memory;
  std::set<fs::path> seen;
  for (const auto& [letter, resolved] : identity.kernels) {
    if (seen.insert(resolved.kernel.image).second) {
      result.kernels.push_back(resolved.kernel);
    }
  }
  return result;
}

void prepare_driver(const Plan& plan, const RunSetup& setup, Driver& driver,
                    const RunIdentity& identity, RunObserver& observer) {
  driver.prepare(driver_setup(plan, setup, identity));
  for (const std::string& note : driver.notes()) {
    observer.on_note(note);
  }
}

/// Takes a folder away again in which nothing came to be. rmdir(2) leaves any other alone.
class EmptyFolderCleanup {
 public:
  explicit EmptyFolderCleanup(fs::path folder) : folder_(std::move(folder)) {}
  ~EmptyFolderCleanup() { ::rmdir(folder_.c_str()); }
  EmptyFolderCleanup(const EmptyFolderCleanup&) = delete;
  EmptyFolderCleanup& operator=(const EmptyFolderCleanup&) = delete;

 private:
  fs::path folder_;
};

RunIdentity begin_run(const Plan& plan, const RunSetup& setup, Driver& driver,
                      RunObserver& observer) {
  const RunFolder folder(setup.folder);
  std::error_code error;
  if (fs::exists(folder.path()) && !fs::is_empty(folder.path(), error)) {
    throw Error(ExitStatus::kUsage, fmt::format("{}: is there already", folder.path().native()),
                "take another folder, or go on with this one: --resume");
  }
  RunIdentity identity{{},
                       std::string(driver.name()),
                       host::sha256_of_file(setup.bench_program),
                       resolve_kernels(plan, setup.cache, driver)};
  prepare_driver(plan, setup, driver, identity, observer);
  identity.unit = driver.unit();
  identity.memory = driver.memory();
  for (const char* name : {"points", "consoles", "lost"}) {
    fs::create_directories(folder.path() / name);
  }
  // The plan comes last: a folder with a plan is a run that can be resumed.
  host::write_new_file(folder.identity_file(), identity_text(identity));
  host::write_new_file(folder.plan_file(), plan_text(plan));
  return identity;
}

RunIdentity resume_run(const Plan& plan, const RunSetup& setup, Driver& driver,
                       RunObserver& observer) {
  const RunFolder folder(setup.folder);
  if (plan_text(stored_plan(setup.folder)) != plan_text(plan)) {
    throw Error(ExitStatus::kUsage,
                fmt::format("{}: was begun with another plan", folder.plan_file().native()),
                "resume without options: the stored plan is taken");
  }
  if (fs::exists(folder.sums_file())) {
    throw Error(ExitStatus::kUsage, fmt::format("{}: is finished", folder.path().native()),
                "`msgring check` verifies it");
  }
  RunIdentity identity =
      parse_identity(host::read_file(folder.identity_file()), folder.identity_file().native());
  check_identity(identity, setup.bench_program, driver);
  prepare_driver(plan, setup, driver, identity, observer);
  if (driver.unit() != identity.unit) {
    throw Error(
        ExitStatus::kEnvironment,
        fmt::format("{}: was begun in {}, and this machine now measures {}", folder.path().native(),
                    host::unit_text(identity.unit), host::unit_text(driver.unit())),
        "one run is of one unit: begin a new one");
  }
  return identity;
}

void take_given_points(const RunSetup& setup, const RunFolder& folder) {
  for (const auto& [boot, file] : setup.given_points) {
    if (!folder.has_point(boot)) {
      host::write_new_file(folder.point_file(boot), host::read_file(file));
    }
  }
}

RunResult collect(const Plan& plan, const RunFolder& folder, host::Unit unit) {
  RunResult result;
  result.unit = unit;
  std::map<unsigned, std::string> incomplete;
  const std::vector<PlannedBoot> boots = planned_boots(plan, unit);
  for (const PlannedBoot& boot : boots) {
    result.lost_attempts += folder.lost_attempts(boot.name);
    if (!folder.has_point(boot.name)) {
      incomplete.emplace(boot.block, boot.name);
    }
  }
  for (const PlannedBoot& boot : boots) {
    if (incomplete.count(boot.block) == 0) {
      result.boots.push_back({boot, folder.point_file(boot.name), folder.lost_attempts(boot.name)});
    }
  }
  for (const auto& [block, name] : incomplete) {
    result.dropped.push_back(
        fmt::format("sandwich {} is left out: boot {} gave no point", block + 1, name));
  }
  return result;
}

}  // namespace

RunResult execute_run(const Plan& plan, const RunSetup& setup, Driver& driver, RunStart start,
                      RunObserver& observer, const std::stop_token& stop) {
  check_plan(plan, "plan");
  if (start == RunStart::kFresh) {
    fs::create_directories(setup.folder);
  } else if (!fs::is_directory(setup.folder)) {
    throw Error(ExitStatus::kUsage, fmt::format("{}: no such run", setup.folder.native()),
                "begin it without --resume");
  }
  const EmptyFolderCleanup cleanup(setup.folder);
  const RunLock lock(setup.folder);
  const RunIdentity identity = start == RunStart::kFresh
                                   ? begin_run(plan, setup, driver, observer)
                                   : resume_run(plan, setup, driver, observer);
  const RunFolder folder(setup.folder);
  take_given_points(setup, folder);
  BootPool(plan, setup, identity, driver, observer, stop).run();
  RunResult result = collect(plan, folder, identity.unit);
  if (result.boots.empty()) {
    throw RunOver(ExitStatus::kEnvironment,
                  fmt::format("{}: no sandwich is complete; {}", folder.path().native(),
                              result.dropped.front()),
                  fmt::format("see {}, then --resume", (folder.path() / "lost").native()));
  }
  return result;
}

Plan stored_plan(const fs::path& folder) {
  const fs::path file = RunFolder(folder).plan_file();
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) {
    throw Error(ExitStatus::kUsage, fmt::format("{}: no run: it has no plan.toml", folder.native()),
                "begin it without --resume");
  }
  return parse_plan(host::read_file(file), file.native());
}

std::vector<std::string> describe_run(const Plan& plan, const RunSetup& setup, Driver& driver) {
  check_plan(plan, "plan");
  const RunIdentity identity{
      {}, std::string(driver.name()), {}, resolve_kernels(plan, setup.cache, driver)};
  driver.prepare(driver_setup(plan, setup, identity));
  std::vector<std::string> lines = driver.notes();
  for (const PlannedBoot& boot : planned_boots(plan, driver.unit())) {
    const BootRequest request = boot_request(boot, plan, setup, identity, driver.unit(), 1);
    lines.push_back(fmt::format("# {}: {}", boot.name, request.kernel.image.native()));
    lines.push_back(driver.command_line(request));
  }
  return lines;
}

}  // namespace msgring::boot
