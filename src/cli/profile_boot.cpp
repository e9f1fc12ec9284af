// SPDX-License-Identifier: MIT
#include "cli/profile_boot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "msgring/boot/guest.hpp"
#include "msgring/boot/qemu.hpp"
#include "msgring/error.hpp"
#include "msgring/host/process.hpp"
#include "msgring/host/temporary_folder.hpp"
#include "msgring/host/whole_file.hpp"
#include "msgring/point/reader.hpp"
#include "msgring/profile/fold.hpp"
#include "msgring/profile/plugin.hpp"

namespace msgring::cli {
namespace {

constexpr std::string_view kCache = "cache";
constexpr std::uint32_t kPairs = 2;  // the fewest that the benchmark takes

/// What the profiler counts lies between two marks: a round of `cache` has as much in each pair.
std::uint32_t stretches_of(const ProfilePlan& plan) { return plan.workload == kCache ? kPairs : 1; }

/// The emulator and the plugin that it takes.
struct Profiler {
  std::string qemu_version;
  std::filesystem::path plugin;
};

Profiler find_profiler(const std::string& qemu) {
  const boot::QemuProgram program = boot::probe_qemu(qemu);
  const auto run = [](const std::vector<std::string>& arguments) {
    return host::run_program(arguments, std::chrono::seconds(30)).errors;
  };
  return {program.version,
          profile::choose_plugin(qemu, program.version, profile::plugin_folders(), run)};
}

std::vector<std::string> bench_arguments(const ProfilePlan& plan) {
  std::vector<std::string> arguments{std::string(boot::kSendSymbols),
                                     "--clock",
                                     "tsc",
                                     "--workload",
                                     plan.workload,
                                     "--rounds",
                                     std::to_string(plan.rounds),
                                     "--warmup",
                                     std::to_string(plan.warmup)};
  arguments.insert(arguments.end(), plan.arguments.begin(), plan.arguments.end());
  if (plan.workload == kCache) {
    arguments.insert(arguments.end(), {"--replicates", std::to_string(kPairs)});
  }
  return arguments;
}

std::string parameters_of(const point::Row& row) {
  std::string text;
  for (const auto& [key, value] : row.parameters.items()) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : "/", key, value);
  }
  return text;
}

std::uint64_t summed(const point::Point& point, const std::string& counter) {
  double sum = 0;
  for (const point::Row& row : point.rows) {
    const auto found = row.counters.find(counter);
    sum += found != row.counters.end() ? found->second : 0;
  }
  return static_cast<std::uint64_t>(std::llround(sum));
}

profile::Subject subject_of(const point::Point& point, const ProfilePlan& plan,
                            const Profiler& profiler) {
  if (point.rows.size() != plan.rounds) {
    throw Error(ExitStatus::kInvalid,
                fmt::format("explain: {} rounds came back, not {}", point.rows.size(), plan.rounds),
                "profile one workload with one size");
  }
  return {{point.context.get("kernel.release"), point.context.get("kernel.version"),
           point.context.get("kernel.build_id")},
          plan.workload,
          parameters_of(point.rows.front()),
          profiler.qemu_version,
          plan.warmup,
          plan.rounds};
}

std::vector<profile::PhaseFacts> phases_of(const point::Point& point, const ProfilePlan& plan) {
  std::vector<profile::PhaseFacts> facts;
  for (const point::Phase& phase : point::phases_of(point, plan.workload)) {
    if (phase.name == "interval") {
      continue;  // from the first phase's start to the last one's end: it has no marks of its own
    }
    facts.push_back({phase.name, phase.noun, summed(point, phase.name + "_operations"),
                     summed(point, phase.name + "_instructions"), stretches_of(plan)});
  }
  return facts;
}

std::string symbols_of(const boot::BootResult& result) {
  for (const boot::Frame& frame : result.additions) {
    if (frame.kind == boot::FrameKind::kKallsyms) {
      return frame.payload;
    }
  }
  throw Error(ExitStatus::kInvalid, "explain: the guest sent no symbols",
              "msgring and msgring_bench must be of one build");
}

profile::Profile profile_boot(const BootTarget& target, const ProfilePlan& plan,
                              const Profiler& profiler, const std::stop_token& stop) {
  const host::TemporaryFolder folder("msgring-explain");
  const std::filesystem::path raw = folder.path() / "raw_profile";
  GuestBoot guest;
  guest.target = target;
  guest.program = plan.bench_program;
  guest.arguments = bench_arguments(plan);
  const std::uint32_t stretches = stretches_of(plan);
  guest.emulator_arguments = profile::plugin_arguments(
      profiler.plugin, raw, plan.warmup * stretches, plan.rounds * stretches);
  guest.qemu = plan.qemu;
  guest.seed = plan.seed;
  guest.scratch = folder.path();
  const boot::BootResult result = run_guest_boot(guest, stop);
  const point::Point point = point::parse_point(result.point_text, target.kernel.release);
  const auto symbols = profile::SymbolTable::parse(symbols_of(result));
  profile::Profile profile = profile::fold(
      host::read_file(raw), symbols, subject_of(point, plan, profiler), phases_of(point, plan));
  profile::check_against_clock(profile);
  return profile;
}

}  // namespace

std::vector<profile::Profile> profile_boots(const std::vector<BootTarget>& targets,
                                            const ProfilePlan& plan, const std::stop_token& stop) {
  const Profiler profiler = find_profiler(plan.qemu);
  return side_by_side(targets, [&](const BootTarget& target) {
    return profile_boot(target, plan, profiler, stop);
  });
}

}  // namespace msgring::cli
