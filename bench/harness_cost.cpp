// SPDX-License-Identifier: MIT
// What msgring's own timed region costs above the floor: interleaved pairs in one process.
#include <fmt/format.h>
#include <sched.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <memory>
#include <vector>

#include "floor.hpp"
#include "msgring/error.hpp"
#include "msgring/workload/round.hpp"

namespace msgring::bench {
namespace {

struct CostOptions {
  std::uint32_t slots = 4096;
  std::uint32_t batch = 64;
  std::uint32_t pairs = 40;
  std::uint32_t gap_ms = 50;
  int cpu = -1;
};

constexpr double kGoal = 1.05;
constexpr std::uint32_t kWarmup = 3;

void settle(const CostOptions& options) {
  const timespec gap{options.gap_ms / 1000, options.gap_ms % 1000 * 1'000'000L};
  ::nanosleep(&gap, nullptr);
}

/// ns per install of one round of the harness, all checks passed.
double measure_harness(workload::Workload& workload, const CostOptions& options) {
  settle(options);
  workload::Round round(workload, options.cpu);
  round.run();
  const workload::RoundResult result = round.finish();
  if (!result.report.passed()) {
    throw Error(ExitStatus::kInvalid, result.report.summary());
  }
  return static_cast<double>(result.samples[0].elapsed()) / options.slots;
}

double measure_floor(Floor& floor, const CostOptions& options) {
  settle(options);
  floor.prepare();
  const std::uint64_t elapsed = floor.run();
  floor.teardown();
  if (elapsed == 0) {
    throw Error(ExitStatus::kInvalid, "floor: a batch did not complete at once");
  }
  return static_cast<double>(elapsed) / options.slots;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 != 0 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

void pin(int& cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (cpu < 0) {
    cpu = ::sched_getcpu();
  }
  CPU_SET(static_cast<std::size_t>(cpu), &set);
  if (::sched_setaffinity(0, sizeof(set), &set) != 0) {
    throw_system_error(errno, "sched_setaffinity", fmt::format("CPU {}", cpu));
  }
}

void compare(CostOptions options) {
  pin(options.cpu);
  workload::Options shape;
  shape.slots = options.slots;
  shape.batch = options.batch;
  const auto workload = workload::find_workload("first_fill")->make(shape);
  Floor floor(options.slots, options.batch);
  std::vector<double> harness_ns;
  std::vector<double> floor_ns;
  std::vector<double> ratios;
  for (std::uint32_t pair = 0; pair < kWarmup + options.pairs; ++pair) {
    double harness = 0;
    double least = 0;
    if (pair % 2 == 0) {
      harness = measure_harness(*workload, options);
      least = measure_floor(floor, options);
    } else {
      least = measure_floor(floor, options);
      harness = measure_harness(*workload, options);
    }
    if (pair >= kWarmup) {
      harness_ns.push_back(harness);
      floor_ns.push_back(least);
      ratios.push_back(harness / least);
    }
  }
  const double ratio = median(ratios);
  fmt::print("slots {}, batch {}, {} pairs on CPU {}, order alternating\n", options.slots,
             options.batch, options.pairs, options.cpu);
  fmt::print("msgring's timed region  {:8.2f} ns/install (median)\n", median(harness_ns));
  fmt::print("floor                   {:8.2f} ns/install (median)\n", median(floor_ns));
  fmt::print("ratio                   {:8.4f} (median of the pairs; goal at most {})\n", ratio,
             kGoal);
}

}  // namespace
}  // namespace msgring::bench

int main(int argc, char** argv) {
  try {
    msgring::bench::CostOptions options;
    CLI::App app("Cost of msgring's timed region against the floor, in interleaved pairs.");
    app.add_option("--slots", options.slots)->check(CLI::Range(1, 1 << 20))->capture_default_str();
    app.add_option("--batch", options.batch)->check(CLI::Range(1, 32768))->capture_default_str();
    app.add_option("--pairs", options.pairs)->check(CLI::Range(20, 100000))->capture_default_str();
    app.add_option("--gap-ms", options.gap_ms)->check(CLI::Range(0, 10000))->capture_default_str();
    app.add_option("--cpu", options.cpu, "default: the one it starts on");
    CLI11_PARSE(app, argc, argv);
    msgring::bench::compare(options);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "harness_cost: {}\n", msgring::describe(error));
    return static_cast<int>(msgring::exit_status_of(error));
  }
}
