// SPDX-License-Identifier: MIT
#include "cli/why.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <iterator>

#include "cli/guest_boot.hpp"
#include "cli/profile_boot.hpp"
#include "msgring/error.hpp"
#include "msgring/host/output_file.hpp"
#include "msgring/profile/difference.hpp"
#include "msgring/profile/render.hpp"
#ifdef MSGRING_HAS_TRACE
#include "cli/trace_boot.hpp"
#endif

namespace msgring::cli {
namespace {

namespace fs = std::filesystem;
using comparison::Comparison;

constexpr std::size_t kBriefFunctions = 8;

/// A side of the comparison that can be booted again.
struct Side {
  std::string role;
  BootTarget target;
};

void write(const fs::path& file, const std::string& text) {
  host::OutputFile(file, host::Overwrite::kForce, "why").commit(text);
}

/// The baseline first, then the others.
std::vector<Side> sides_of(const Comparison& comparison, const boot::Plan& plan,
                           const boot::KernelCache& cache) {
  std::vector<Side> sides;
  for (const boot::RolePlan& role : plan.roles) {
    sides.push_back({std::string(1, role.letter), {cache.resolve(role.kernel), role.append}});
  }
  std::stable_partition(sides.begin(), sides.end(),
                        [&](const Side& side) { return side.role == comparison.baseline_role; });
  return sides;
}

std::vector<BootTarget> targets_of(const std::vector<Side>& sides) {
  std::vector<BootTarget> targets;
  targets.reserve(sides.size());
  for (const Side& side : sides) {
    targets.push_back(side.target);
  }
  return targets;
}

/// The primary comparison's sizes as the benchmark's options. `cache` has pairs of its own here.
std::vector<std::string> shape_arguments(const comparison::Entry& entry) {
  std::vector<std::string> arguments;
  for (const auto& [name, value] : entry.parameters.items()) {
    if (name != "replicates") {
      arguments.insert(arguments.end(), {"--" + name, value});
    }
  }
  return arguments;
}

/// The profile must be of the kernel that was measured.
void check_identity(const Side& side, const profile::Profile& profile,
                    const Comparison& comparison) {
  for (const comparison::PointFacts& point : comparison.points) {
    const std::string* build_id = point.context.find("kernel.build_id");
    if (point.role == side.role && build_id != nullptr &&
        *build_id != profile.subject.kernel.build_id) {
      throw Error(ExitStatus::kInvalid,
                  fmt::format("explain: kernel of {} has build id {}, measured was {}", side.role,
                              profile.subject.kernel.build_id, *build_id),
                  "the cached kernel has changed since the run");
    }
  }
}

std::vector<report::Section> explain(const Comparison& comparison, const std::vector<Side>& sides,
                                     const boot::RunSetup& setup, const fs::path& folder,
                                     const std::stop_token& stop) {
  ProfilePlan plan;
  plan.workload = comparison.entries.front().workload;
  plan.arguments = shape_arguments(comparison.entries.front());
  plan.bench_program = setup.bench_program;
  plan.qemu = setup.emulator;
  const std::vector<profile::Profile> profiles = profile_boots(targets_of(sides), plan, stop);
  std::vector<report::Section> sections;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    check_identity(sides[i], profiles[i], comparison);
    write(folder / (sides[i].role + ".profile"), profile::profile_text(profiles[i]));
    if (i == 0) {
      continue;
    }
    const auto phases = profile::subtract(profiles[0], profiles[i], profile::Names::kAsTheyAre);
    const std::string pair = fmt::format("{}-{}", sides[0].role, sides[i].role);
    const std::string text = profile::difference_text(phases);
    write(folder / ("explain-" + pair + ".txt"), text);
    write(folder / ("explain-" + pair + ".json"), profile::difference_json(phases));
    write(folder / ("explain-" + pair + ".folded"), profile::difference_folded(phases));
    std::string graphs;
    for (const profile::Difference& phase : phases) {
      graphs += profile::flame_graph_svg(phase);
    }
    sections.push_back(
        {fmt::format("Where the difference of {} to {} went", sides[i].role, sides[0].role),
         profile::difference_brief(phases, kBriefFunctions), text, graphs});
  }
  return sections;
}

#ifdef MSGRING_HAS_TRACE
std::vector<report::Section> trace(const Comparison& comparison, const std::vector<Side>& sides,
                                   const boot::RunSetup& setup, const fs::path& folder,
                                   const std::stop_token& stop) {
  trace::TraceJob job;
  job.workload = comparison.entries.front().workload;
  const std::vector<trace::Trace> traces =
      trace_boots(targets_of(sides), job, setup.emulator, stop);
  std::vector<report::Section> sections;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    write(folder / ("trace-" + sides[i].role + ".json"), trace::trace_json(traces[i]));
    if (i == 0) {
      continue;
    }
    const std::string text = trace::comparison_text(traces[0], traces[i]);
    write(folder / fmt::format("trace-{}-{}.txt", sides[0].role, sides[i].role), text);
    sections.push_back(
        {fmt::format("What the kernels of {} and {} did", sides[0].role, sides[i].role),
         trace::comparison_brief(traces[0], traces[i]), text, ""});
  }
  return sections;
}
#endif

/// The sections, or one that says why there are none.
std::vector<report::Section> attempt(const std::string& title,
                                     const std::function<std::vector<report::Section>()>& find) {
  try {
    fmt::print(stderr, "msgring aba: {}\n", title);
    return find();
  } catch (const std::exception& error) {
    if (exit_status_of(error) == ExitStatus::kInterrupted) {
      throw;
    }
    fmt::print(stderr, "msgring aba: {}: not done: {}\n", title, describe(error));
    const std::string text = fmt::format("not done: {}\n", error.what());
    return {{title, text, text, ""}};
  }
}

}  // namespace

std::vector<report::Section> find_reasons(const Comparison& comparison, const boot::Plan& plan,
                                          const boot::RunSetup& setup, const WhyOptions& options,
                                          const std::stop_token& stop) {
  std::vector<report::Section> sections;
  if (!options.explain && !options.trace) {
    return sections;
  }
  const fs::path folder = setup.folder / "why";
  fs::create_directories(folder);
  const std::vector<Side> sides = sides_of(comparison, plan, setup.cache);
  const auto append = [&](std::vector<report::Section> more) {
    sections.insert(sections.end(), std::make_move_iterator(more.begin()),
                    std::make_move_iterator(more.end()));
  };
  if (options.explain) {
    append(attempt("explain: where the difference went",
                   [&] { return explain(comparison, sides, setup, folder, stop); }));
  }
#ifdef MSGRING_HAS_TRACE
  if (options.trace) {
    append(attempt("trace: what the kernels did",
                   [&] { return trace(comparison, sides, setup, folder, stop); }));
  }
#endif
  return sections;
}

}  // namespace msgring::cli
