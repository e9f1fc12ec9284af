// SPDX-License-Identifier: MIT
// A step is a run of its own, which anybody can compare again.
#include "msgring/bisect/kernel_measurer.hpp"

#include <fmt/format.h>

#include <optional>

#include "msgring/boot/qemu.hpp"
#include "msgring/host/sha256.hpp"
#include "msgring/point/reader.hpp"

namespace msgring::bisect {
namespace {

namespace fs = std::filesystem;

/// Passes everything on, a note once, and remembers the last boot that was given up.
class LossRecorder : public boot::RunObserver {
 public:
  LossRecorder(boot::RunObserver& observer, std::set<std::string>& told)
      : observer_(observer), told_(told) {}

  void on_note(std::string_view line) override {
    if (told_.emplace(line).second) {
      observer_.on_note(line);
    }
  }
  void on_start(const boot::PlannedBoot& boot, unsigned attempt) override {
    observer_.on_start(boot, attempt);
  }
  void on_phase(const boot::PlannedBoot& boot, boot::BootPhase phase) override {
    observer_.on_phase(boot, phase);
  }
  void on_log(const boot::PlannedBoot& boot, std::string_view line) override {
    observer_.on_log(boot, line);
  }
  void on_measured(const boot::PlannedBoot& boot) override { observer_.on_measured(boot); }
  void on_lost(const boot::PlannedBoot& boot, const boot::BootFailure& failure,
               bool will_retry) override {
    observer_.on_lost(boot, failure, will_retry);
    if (!will_retry && failure.outcome() != boot::Outcome::kDriverFailed) {
      loss_ = failure;
    }
  }

  const std::optional<boot::BootFailure>& loss() const { return loss_; }

 private:
  boot::RunObserver& observer_;
  std::set<std::string>& told_;
  std::optional<boot::BootFailure> loss_;
};

std::string obstacle_text(const boot::BootFailure& failure) {
  const bool booted = failure.outcome() == boot::Outcome::kBenchFailed ||
                      failure.outcome() == boot::Outcome::kResultDamaged;
  return fmt::format("{}: {}", booted ? "cannot measure" : "does not boot", failure.what());
}

/// One image needs no second measurement.
Measured same_as_good(Figures figures) {
  figures.cost = figures.good_cost;
  figures.delta = 0.0;
  figures.interval = {};
  return {figures, "", "not booted, the image is the good end's"};
}

bool is_run(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(boot::RunFolder(folder).plan_file(), ignored);
}

}  // namespace

boot::RunResult finished_boots(const fs::path& folder) {
  const boot::Plan plan = boot::stored_plan(folder);
  boot::RunResult result;
  for (const host::Unit unit : {host::Unit::kInstructions, host::Unit::kNanoseconds}) {
    for (const boot::PlannedBoot& boot : boot::planned_boots(plan, unit)) {
      const boot::RunFolder run(folder);
      if (run.has_point(boot.name)) {
        result.unit = unit;
        result.boots.push_back({boot, run.point_file(boot.name), 0});
      }
    }
  }
  if (result.boots.empty()) {
    throw Error(ExitStatus::kInvalid, fmt::format("{}: has no points", folder.native()),
                "measure the ends first");
  }
  return result;
}

comparison::Comparison compare_sandwich(const boot::RunResult& result, const std::string& primary,
                                        double threshold) {
  comparison::Plan how;
  std::vector<point::Point> points;
  for (const boot::MeasuredBoot& boot : result.boots) {
    points.push_back(point::read_points(boot.point_file).front());
    how.roles.emplace_back(1, boot.boot.role);
  }
  how.against = std::string("A");
  how.primary = primary;
  how.settings.threshold = threshold;
  return comparison::compare_points(points, how);
}

Figures figures_of(const comparison::Comparison& comparison) {
  const comparison::Entry& entry = comparison.entries.front();
  const stats::Result& result = entry.result;
  return {fmt::format("{}, {}", entry.title, entry.phase.name),
          fmt::format("{}/{}", host::unit_text(comparison.unit), entry.phase.noun),
          result.baseline.mean,
          result.changed.mean,
          result.delta,
          result.interval,
          entry.is_finding ? "" : result.reason};
}

KernelMeasurer::KernelMeasurer(KernelMeasurerSetup setup, std::stop_token stop)
    : setup_(std::move(setup)), stop_(std::move(stop)) {}

boot::Plan KernelMeasurer::plan_of(boot::RolePlan other) {
  boot::Plan plan = setup_.plan;
  plan.roles = {good(), std::move(other)};
  plan.roles[0].letter = 'A';
  plan.roles[1].letter = 'B';
  plan.order = "ABA";
  return plan;
}

boot::RunSetup KernelMeasurer::setup_for(const fs::path& folder) const {
  boot::RunSetup setup = setup_.boots;
  setup.folder = folder;
  return setup;
}

const boot::RolePlan& KernelMeasurer::good() {
  if (!good_) {
    good_ = end(setup_.good);
  }
  return *good_;
}

/// Of an end a kernel must be had.
boot::RolePlan KernelMeasurer::end(const std::string& id) const {
  try {
    return setup_.kernel_of(id);
  } catch (const NoKernel& error) {
    throw Error(ExitStatus::kEnvironment, fmt::format("{}: {}", id, error.what()),
                "name an end that can be measured");
  }
}

Measured KernelMeasurer::run(const boot::Plan& plan, const boot::RunSetup& setup) {
  const std::unique_ptr<boot::RunObserver> outer = setup_.observe(plan, setup.folder);
  LossRecorder observer(*outer, told_);
  boot::QemuDriver driver(plan.unit, stop_, setup.emulator);
  const auto start = is_run(setup.folder) ? boot::RunStart::kResume : boot::RunStart::kFresh;
  boot::RunResult result;
  try {
    result = boot::execute_run(plan, setup, driver, start, observer, stop_);
  } catch (const Error& error) {
    // What the machine itself lacks (a full disk, no emulator) ends the search.
    if (error.status() != ExitStatus::kEnvironment || !observer.loss()) {
      throw;
    }
    return {std::nullopt, obstacle_text(*observer.loss()), ""};
  }
  try {
    return {figures_of(compare_sandwich(result, setup_.primary, setup_.threshold)), "", ""};
  } catch (const Error& error) {
    if (error.status() != ExitStatus::kInvalid) {
      throw;
    }
    return {std::nullopt, fmt::format("cannot be compared: {}", error.what()), ""};
  }
}

Measured KernelMeasurer::references(const fs::path& folder) {
  const boot::RolePlan bad = end(setup_.bad);
  if (is_good_image(bad)) {
    throw Error(ExitStatus::kUsage,
                fmt::format("{} and {} are one and the same kernel image", setup_.good, setup_.bad),
                "nothing can lie between them");
  }
  for (const boot::RolePlan& role : {good(), bad}) {
    boot::check_kernel_image(setup_.boots.cache.resolve(role.kernel).image);
  }
  return run(plan_of(bad), setup_for(folder));
}

/// Steps measure what the references measured, in their unit, and take their points where those
/// repeat exactly.
void KernelMeasurer::adopt_references(boot::RunSetup& setup, boot::Plan& plan) const {
  const boot::RunFolder references(setup_.references);
  const bool counts =
      references.has_point(boot::planned_boots(plan, host::Unit::kInstructions).front().name);
  plan.unit = counts ? boot::UnitChoice::kInstructions : boot::UnitChoice::kNanoseconds;
  if (!counts) {
    return;
  }
  for (const boot::PlannedBoot& boot : boot::planned_boots(plan, host::Unit::kInstructions)) {
    if (boot.role == 'A' && references.has_point(boot.name)) {
      setup.given_points[boot.name] = references.point_file(boot.name);
    }
  }
}

bool KernelMeasurer::is_good_image(const boot::RolePlan& other) {
  const auto digest = [this](const boot::RolePlan& role) {
    return host::sha256_of_file(setup_.boots.cache.resolve(role.kernel).image);
  };
  return digest(other) == digest(good());
}

Measured KernelMeasurer::candidate(const std::string& candidate, const fs::path& folder,
                                   const Figures& references) {
  boot::RolePlan role;
  try {
    role = setup_.kernel_of(candidate);
  } catch (const NoKernel& error) {
    return {std::nullopt, error.what(), ""};
  }
  const fs::path image = setup_.boots.cache.resolve(role.kernel).image;
  try {
    boot::check_kernel_image(image);
  } catch (const Error& error) {
    return {std::nullopt, fmt::format("cannot be booted: {}", error.what()), ""};
  }
  if (is_good_image(role)) {
    return same_as_good(references);
  }
  boot::Plan plan = plan_of(role);
  boot::RunSetup setup = setup_for(folder);
  adopt_references(setup, plan);
  return run(plan, setup);
}

}  // namespace msgring::bisect
