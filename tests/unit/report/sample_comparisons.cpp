// SPDX-License-Identifier: MIT
// Comparisons from the public evidence and from made-up boots.
#include "report/sample_comparisons.hpp"

#include "comparison/sample_points.hpp"
#include "msgring/point/reader.hpp"

namespace msgring::testing_reports {
namespace {

using comparison::Comparison;
using comparison::Plan;
using testing_points::make_point;

// Run in the data folder, so that reports name files without a path of this machine.
Comparison compare_table(const char* file) {
  auto points = point::read_points(std::filesystem::path(MSGRING_TEST_DATA) / "tsv" / file);
  for (point::Point& point : points) {
    point.source = file;
  }
  Plan plan;
  plan.roles = comparison::default_roles(points);
  return comparison::compare_points(points, plan);
}

}  // namespace

Comparison public_evidence() { return compare_table("measured-rounds.tsv"); }

Comparison drifting_evidence() { return compare_table("drifting-rounds.tsv"); }

Comparison three_roles() {
  std::vector<point::Point> points;
  for (const char* name : {"u1", "p1", "c1", "c2", "p2", "u2"}) {
    const char role = *name;
    points.push_back(
        make_point({.name = name,
                    .kernel = role == 'u'   ? "6.12.95"
                              : role == 'p' ? "7.1.3"
                                            : "7.1.3-prefill",
                    .factor = role == 'u'   ? 1.0
                              : role == 'p' ? 1.1
                                            : 0.97,
                    .phases = {{"register", "registration", 20361.0},
                               {"fill", "install", 84.407},
                               {"interval", "round", 526873.0}},
                    .facts = {{"kernel.preempt_mode", role == 'u' ? "voluntary" : "lazy"}}}));
  }
  Plan plan;
  plan.roles = {"U", "P", "C", "C", "P", "U"};
  plan.primary = "register_fill/fill";
  return comparison::compare_points(points, plan);
}

Comparison emulated() {
  std::vector<point::Point> points;
  for (const char* seed : {"1", "2", "3"}) {
    for (const char* boot : {"a1", "b", "a2"}) {
      const bool is_b = *boot == 'b';
      points.push_back(make_point({.name = std::string(boot) + "-seed" + seed,
                                   .kernel = is_b ? "7.1.3" : "6.12.95",
                                   .factor = is_b ? 1.389 + 0.001 * (*seed - '1') : 1.0,
                                   .unit = host::Unit::kInstructions,
                                   .seed = seed,
                                   .phases = {{"fill", "install", 879.0}}}));
    }
  }
  Plan plan;
  plan.roles = comparison::default_roles(points);
  return comparison::compare_points(points, plan);
}

Comparison one_boot() {
  std::vector<point::Point> points;
  for (const char* name : {"p1", "p2", "p3"}) {
    points.push_back(make_point({.name = name, .facts = {{"kernel.boot_id", "one"}}}));
  }
  Plan plan;
  plan.roles = {"A", "B", "A"};
  return comparison::compare_points(points, plan);
}

}  // namespace msgring::testing_reports
