// SPDX-License-Identifier: MIT
#include "cli/bisect_final.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/aba_report.hpp"
#include "cli/bisect_progress.hpp"
#include "msgring/host/whole_file.hpp"

namespace msgring::cli {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

}  // namespace

void report_final_step(const boot::Plan& step_plan, const boot::RunSetup& setup,
                       const std::string& primary, const FinalStep& step,
                       const std::stop_token& stop) {
  const boot::RunFolder folder(setup.folder);
  if (is_file(folder.sums_file())) {
    fmt::print("{}folder   {}\n", host::read_file(setup.folder / "report.txt"),
               setup.folder.native());
    return;
  }
  boot::Plan plan = step_plan;
  plan.roles = {step.good, step.bad};
  plan.roles[0].letter = 'A';
  plan.roles[1].letter = 'B';
  boot::QemuDriver driver(plan.unit, stop, setup.emulator);
  const auto start = is_file(folder.plan_file()) ? boot::RunStart::kResume : boot::RunStart::kFresh;
  boot::RunResult result;
  {
    const auto progress = bisect_progress(plan, setup.folder);
    result = boot::execute_run(plan, setup, driver, start, *progress, stop);
  }
  ReportOptions options;
  options.primary = primary;
  options.introduced = step.introduced;
  options.why.explain = step.explain;
  report_run(setup, plan, result, options, stop);
}

}  // namespace msgring::cli
