// SPDX-License-Identifier: MIT
// Measuring candidates that are kernels: booted, compared with the good end.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>

#include "msgring/bisect/find.hpp"
#include "msgring/boot/run.hpp"
#include "msgring/comparison/comparison.hpp"
#include "msgring/error.hpp"

namespace msgring::bisect {

/// A candidate of which no kernel can be had. The search skips it; `what()` says why.
class NoKernel : public Error {
 public:
  explicit NoKernel(const std::string& why) : Error(ExitStatus::kEnvironment, why) {}
};

/// A candidate as one side of a plan, whatever its letter. Throws NoKernel, or what is no fault of
/// the candidate and ends the search.
using KernelSource = std::function<boot::RolePlan(const std::string& candidate)>;

struct KernelMeasurerSetup {
  std::string good;  ///< ids of the ends
  std::string bad;
  boot::Plan plan;       ///< what each boot does; its roles and order are set here
  boot::RunSetup boots;  ///< benchmark, kernels, emulator; its folder is set here
  std::string primary;  ///< the comparison that decides: `workload`, `workload/phase`, or the first
  double threshold = 0.05;
  std::filesystem::path references;  ///< where the run of the references is, or will be
  KernelSource kernel_of;
  /// Who is told about the boots of a run in `folder`.
  std::function<std::unique_ptr<boot::RunObserver>(const boot::Plan& plan,
                                                   const std::filesystem::path& folder)>
      observe;
};

/// Boots a sandwich good, candidate, good for each candidate.
///
/// Where instructions are counted under fixed seeds, boots repeat exactly: the references are
/// booted twice each seed, which proves that, and their points then stand on the good side of every
/// later step, of which only the candidate is booted. Where time is measured, every step boots all
/// three.
class KernelMeasurer : public Measurer {
 public:
  KernelMeasurer(KernelMeasurerSetup setup, std::stop_token stop);

  Measured references(const std::filesystem::path& folder) override;
  Measured candidate(const std::string& candidate, const std::filesystem::path& folder,
                     const Figures& references) override;

 private:
  boot::Plan plan_of(boot::RolePlan other);
  Measured run(const boot::Plan& plan, const boot::RunSetup& setup);
  boot::RunSetup setup_for(const std::filesystem::path& folder) const;
  const boot::RolePlan& good();
  boot::RolePlan end(const std::string& id) const;
  void adopt_references(boot::RunSetup& setup, boot::Plan& plan) const;
  bool is_good_image(const boot::RolePlan& other);

  KernelMeasurerSetup setup_;
  std::stop_token stop_;
  std::optional<boot::RolePlan> good_;  ///< once it is needed
  std::set<std::string> told_;          ///< notes of the driver
};

/// The boots of a finished run that gave a point, in whichever unit it was measured.
/// Throws Error (kUsage) when `folder` holds no run, Error (kInvalid) when it has no points.
boot::RunResult finished_boots(const std::filesystem::path& folder);

/// The points of a finished sandwich of A and B compared, the first entry deciding.
comparison::Comparison compare_sandwich(const boot::RunResult& result, const std::string& primary,
                                        double threshold);

/// What such a comparison says about B.
Figures figures_of(const comparison::Comparison& comparison);

}  // namespace msgring::bisect
