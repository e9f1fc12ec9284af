// SPDX-License-Identifier: MIT
// Made-up boots.
#include "comparison/sample_points.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "msgring/host/sha256.hpp"

namespace msgring::testing_points {
namespace {

constexpr double kOperations = 64.0;

std::vector<std::pair<std::string, std::string>> facts_of(const Recipe& recipe) {
  std::string phases;
  for (const PhaseCost& phase : recipe.phases) {
    phases += fmt::format("{}{}:{}", phases.empty() ? "" : ",", phase.name, phase.noun);
  }
  const bool counts = recipe.unit == host::Unit::kInstructions;
  std::vector<std::pair<std::string, std::string>> facts = {
      {"date", "2026-01-01T00:00:00+00:00"},
      {"library_build_type", "debug"},
      {"msgring.schema", "1"},
      {"msgring.version", "0.1.0"},
      {"msgring.arguments", fmt::format("--slots 64 --out {}.json", recipe.name)},
      {"msgring.binary_sha256", std::string(64, 'a')},
      {"msgring.clock", counts ? "tsc" : "monotonic_raw"},
      {"msgring.unit", std::string(host::unit_text(recipe.unit))},
      {"msgring.rounds", std::to_string(recipe.rounds)},
      {"msgring.workload.register_fill.phases", phases},
      {"msgring.workload.register_fill.target_flags", "default"},
      {"kernel.release", recipe.kernel},
      {"kernel.version", "#1 SMP " + recipe.kernel},
      {"kernel.cmdline", "quiet"},
      {"kernel.boot_id", counts ? "the-same-in-every-boot" : "boot-" + recipe.name},
      {"kernel.build_id", "build-" + recipe.kernel},
      {"kernel.config_sha256", "config-" + recipe.kernel},
      {"kernel.preempt_mode", "voluntary"},
      {"cpu.model", "Example CPU"},
      {"cpu.pinned", "2"},
      {"cpu.governor", "performance"},
      {"cpu.clocksource", "tsc"},
      {"lib.liburing", "2.3"},
      {"msgring.complete", "yes"},
      {"msgring.checks", "passed"}};
  if (!recipe.seed.empty()) {
    facts.emplace_back("boot.seed", recipe.seed);
    facts.emplace_back("boot.run_id", "run-" + recipe.name);
  }
  for (const auto& [key, value] : recipe.facts) {
    const auto found = std::find_if(facts.begin(), facts.end(),
                                    [&name = key](const auto& fact) { return fact.first == name; });
    if (found != facts.end()) {
      found->second = value;
    } else {
      facts.emplace_back(key, value);
    }
  }
  return facts;
}

point::Row make_row(const Recipe& recipe, int round) {
  point::Row row;
  row.run_name =
      fmt::format("register_fill/slots:64/iterations:1/repeats:{}/manual_time", recipe.rounds);
  row.workload = "register_fill";
  row.parameters.add("slots", "64");
  row.repetition = round;
  row.iterations = 1;
  row.unit = recipe.unit;
  row.line = 40 + 20 * static_cast<std::size_t>(round);
  const double spread = round % 2 == 0 ? 1.002 : 0.998;
  for (const PhaseCost& phase : recipe.phases) {
    const double total = phase.cost * recipe.factor * spread * kOperations;
    row.counters[fmt::format("{}_{}", phase.name, host::unit_text(recipe.unit))] = total;
    row.counters[phase.name + "_operations"] = kOperations;
    row.real_time += total;
  }
  row.counters["check.cqe_lost"] = 0.0;
  row.counters["check.slot_twice"] = 0.0;
  return row;
}

}  // namespace

point::Point make_point(const Recipe& recipe) {
  point::Point point;
  point.source = recipe.name + ".json";
  point.label = recipe.name;
  point.sha256 = host::sha256_of_bytes(recipe.name);
  point.unit = recipe.unit;
  for (auto& [key, value] : facts_of(recipe)) {
    point.context.add(key, value);
  }
  for (int round = 0; round < recipe.rounds; ++round) {
    point.rows.push_back(make_row(recipe, round));
  }
  return point;
}

std::vector<point::Point> sandwich(double effect) {
  return {make_point({.name = "a1"}),
          make_point({.name = "b", .kernel = "7.1.3", .factor = 1.0 + effect}),
          make_point({.name = "a2"})};
}

}  // namespace msgring::testing_points
