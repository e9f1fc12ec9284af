// SPDX-License-Identifier: MIT
// From the points of a sandwich to a Comparison: the one thing that every report is made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "msgring/host/clock.hpp"
#include "msgring/point/point.hpp"
#include "msgring/stats/contrast.hpp"

namespace msgring::comparison {

/// What to compare, and how strictly.
struct Plan {
  std::vector<std::string> roles;  ///< one per point: "A", "B", "A"
  std::string against;             ///< the baseline's role; empty: the first point's
  std::string primary;             ///< `workload` or `workload/phase`; empty: the first in the file
  bool same_boot = false;  ///< trying things out: boots need not differ, nothing is evidence
  bool a_a = false;        ///< all points are one kernel, and nothing may be found
  std::vector<std::string> allowed;  ///< context keys that may differ, though they should not
  stats::Settings settings;
};

/// One point of the comparison: its identity, without its rounds.
struct PointFacts {
  std::string label;  ///< unique within the comparison
  std::string role;
  std::string source;  ///< the file
  std::string sha256;  ///< of the file
  std::string seed;    ///< of the emulated machine; empty elsewhere
  point::Origin origin = point::Origin::kPointFile;
  point::Facts context;
};

/// The context key that says which options of a kernel's configuration differ from the baseline's:
/// "none", or "CONFIG_MEMCG y -> n, ...". It is said before the verdict.
inline constexpr std::string_view kConfigChanges = "boot.config_changes";

/// What a difference between the points' contexts means.
enum class Weight {
  kUnderTest,  ///< the kernel or its command line, between roles: what the comparison is about
  kBlocks,     ///< makes the comparison invalid
  kConfound,   ///< could explain the result: named in the first lines
  kListed,     ///< for the record
};

struct Difference {
  std::string key;
  std::vector<std::string> values;  ///< one per point, in their order
  Weight weight = Weight::kListed;
};

/// One phase of one workload in one role against the baseline.
struct Entry {
  std::string title;     ///< `first_fill slots:4096 batch:64`
  std::string workload;  ///< `first_fill`
  point::Facts parameters;
  point::Phase phase;
  std::string baseline_role;
  std::string changed_role;
  stats::Contrast contrast;  ///< the rounds behind the result, for plots
  stats::Result result;

  /// False where a gate failed: then no effect may be printed as a finding.
  bool is_finding = false;
};

/// How often rounds were proved to have done what they claim.
struct CheckTotals {
  std::size_t rounds = 0;
  std::vector<std::string> names;  ///< of the checks made in every round
  std::size_t verified = 0;        ///< check results looked at: names over rounds
};

/// Everything that a report says. Passive; complete in itself.
struct Comparison {
  host::Unit unit = host::Unit::kNanoseconds;
  std::string order;               ///< "ABA"
  std::string baseline_role;       ///< "A"
  std::vector<std::string> roles;  ///< distinct, in order of appearance
  bool same_boot = false;
  bool a_a = false;
  stats::Settings settings;
  stats::Replication replication = stats::Replication::kBoots;
  std::string arguments;  ///< the benchmark's, without the output file; empty if not recorded
  std::vector<PointFacts> points;
  std::vector<stats::Gate> identity;  ///< gates over the whole comparison
  std::vector<Difference> differences;
  CheckTotals checks;
  std::vector<Entry> entries;                         ///< the primary first, never empty
  std::vector<std::string> caveats;                   ///< to be said before the verdict
  stats::Verdict verdict = stats::Verdict::kInvalid;  ///< the primary's, or invalid
  std::string reason;
};

/// Roles for `count` points from an order such as "ABA", repeated as often as it fits.
/// Throws Error (kUsage) if it does not fit.
std::vector<std::string> roles_from_order(std::string_view order, std::size_t count);

/// The roles that points have when nobody says: by the names in an imported table ("parent-a",
/// "child", "parent-b" are A, B, A), otherwise ABA for three points or ABBA for four, of each seed
/// where seeds were used. Throws Error (kUsage) where this gives no answer.
std::vector<std::string> default_roles(const std::vector<point::Point>& points);

/// Compares points in the order in which they were measured.
///
/// Throws Error (kUsage) for a plan that does not fit the points, Error (kInvalid) with file and
/// line for points that cannot be compared at all: an invalid row, unequal rounds, different
/// workloads, mixed units, one file twice. A failed gate is no exception: it is in the result.
Comparison compare_points(const std::vector<point::Point>& points, const Plan& plan);

}  // namespace msgring::comparison
