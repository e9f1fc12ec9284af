// SPDX-License-Identifier: MIT
#include "identity.hpp"

#include <fmt/core.h>

#include <CLI/Version.hpp>
#include <chrono>

#include "msgring/host/clock.hpp"
#include "msgring/host/sha256.hpp"

namespace msgring::bench {
namespace {

std::string settle_text(const BenchOptions& options) {
  switch (options.settle) {
    case SettlePolicy::kNone:
      return "none";
    case SettlePolicy::kSeconds:
      return fmt::format("{} s", options.settle_s);
    case SettlePolicy::kAuto:
      break;
  }
  return "auto";
}

/// The gap; of sizes that differ in it, each: "50000,3145728".
std::string gaps_us(const std::vector<Planned>& plan, const BenchOptions& options) {
  std::string text;
  for (const std::chrono::microseconds gap : gaps_of(plan, options.gap)) {
    text += fmt::format("{}{}", text.empty() ? "" : ",", gap.count());
  }
  return text;
}

std::string fmt_version() {
  return fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100);
}

}  // namespace

std::string version() { return MSGRING_VERSION; }

std::string version_text() {
  return fmt::format(
      "msgring_bench {} (point schema 1)\n"
      "liburing {}, Google Benchmark {}, fmt {}, CLI11 {}\n"
      "{} build by {}\n",
      version(), MSGRING_LIBURING_VERSION, MSGRING_BENCHMARK_VERSION, fmt_version(), CLI11_VERSION,
      MSGRING_BUILD_TYPE, MSGRING_COMPILER);
}

host::Facts identity_facts(const BenchOptions& options, const std::vector<Planned>& plan) {
  const host::ClockKind clock = options.clock;
  return {
      {"msgring.schema", "1"},
      {"msgring.version", version()},
      {"msgring.arguments", options.arguments},
      {"msgring.binary_sha256", host::sha256_of_file("/proc/self/exe")},
      {"msgring.clock", std::string(host::clock_text(clock))},
      {"msgring.unit", std::string(host::unit_text(host::unit_of(clock)))},
      {"msgring.rounds", std::to_string(options.rounds)},
      {"msgring.warmup", std::to_string(options.warmup)},
      {"msgring.gap_us", gaps_us(plan, options)},
      {"msgring.settle", settle_text(options)},
      {"build.type", MSGRING_BUILD_TYPE},
      {"build.compiler", MSGRING_COMPILER},
      {"build.flags", MSGRING_BUILD_FLAGS},
      {"lib.liburing", MSGRING_LIBURING_VERSION},
      {"lib.benchmark", MSGRING_BENCHMARK_VERSION},
      {"lib.fmt", fmt_version()},
      {"lib.cli11", CLI11_VERSION},
  };
}

}  // namespace msgring::bench
