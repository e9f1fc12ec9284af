// SPDX-License-Identifier: MIT
#include "cli/bisect_progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "cli/progress.hpp"
#include "msgring/bisect/text.hpp"

namespace msgring::cli {

namespace fs = std::filesystem;

std::unique_ptr<boot::RunObserver> bisect_progress(const boot::Plan& plan, const fs::path& folder) {
  std::map<char, std::string> kernels;
  for (const boot::RolePlan& role : plan.roles) {
    kernels[role.letter] = fs::path(role.kernel).filename();
  }
  const host::Unit unit = plan.unit == boot::UnitChoice::kNanoseconds ? host::Unit::kNanoseconds
                                                                      : host::Unit::kInstructions;
  const std::vector<boot::PlannedBoot> boots = boot::planned_boots(plan, unit);
  const auto done = std::count_if(boots.begin(), boots.end(), [&](const boot::PlannedBoot& boot) {
    return boot::RunFolder(folder).has_point(boot.name);
  });
  return std::make_unique<Progress>(boots.size(), static_cast<std::size_t>(done),
                                    std::move(kernels), "msgring bisect");
}

void StepLines::on_begin(unsigned number, const std::string& label, std::size_t steps_left) {
  if (number == 0) {
    fmt::print(stderr, "msgring bisect: the ends first, then about {} steps\n", steps_left);
  } else {
    fmt::print(stderr, "msgring bisect: step {}: {} (about {} to go)\n", number, label, steps_left);
  }
}

void StepLines::on_answer(const bisect::Step& step) {
  fmt::print(stderr, "msgring bisect: {}\n", bisect::step_text(step));
}

}  // namespace msgring::cli
