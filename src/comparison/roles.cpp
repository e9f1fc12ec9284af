// SPDX-License-Identifier: MIT
// Roles, labels, and files that must not be compared with themselves.
#include "comparison/roles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "msgring/error.hpp"

namespace msgring::comparison {
namespace {

bool are_unique(const std::vector<PointFacts>& facts) {
  std::set<std::string> labels;
  return std::all_of(facts.begin(), facts.end(),
                     [&](const PointFacts& point) { return labels.insert(point.label).second; });
}

}  // namespace

std::vector<std::string> roles_from_order(std::string_view order, std::size_t count) {
  if (order.empty() || count == 0 || count % order.size() != 0) {
    throw Error(ExitStatus::kUsage, fmt::format("{} points do not fit the order {}", count, order),
                "give --order or --roles with one letter for each point");
  }
  std::vector<std::string> roles;
  for (std::size_t i = 0; i < count; ++i) {
    roles.emplace_back(1, order[i % order.size()]);
  }
  return roles;
}

namespace {

// "parent-a" and "parent-b" are boots of "parent".
std::string role_name(const std::string& label) {
  const std::size_t dash = label.rfind('-');
  return dash != std::string::npos && dash > 0 && label.size() - dash <= 3 ? label.substr(0, dash)
                                                                           : label;
}

std::vector<std::string> roles_from_labels(const std::vector<point::Point>& points) {
  std::vector<std::string> names;
  std::vector<std::string> roles;
  for (const point::Point& point : points) {
    const std::string name = role_name(point.label);
    auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      found = names.insert(names.end(), name);
    }
    roles.emplace_back(1, static_cast<char>('A' + (found - names.begin()) % 26));
  }
  return roles;
}

std::string_view usual_order(std::size_t count) {
  if (count != 3 && count != 4) {
    throw Error(ExitStatus::kUsage, fmt::format("{} points: which stands on which side?", count),
                "give --order (ABA, ABBA, ...) or --roles with one name for each point");
  }
  return count == 3 ? "ABA" : "ABBA";
}

}  // namespace

std::vector<std::string> default_roles(const std::vector<point::Point>& points) {
  if (std::all_of(points.begin(), points.end(), [](const point::Point& point) {
        return point.origin == point::Origin::kImportedTsv;
      })) {
    return roles_from_labels(points);
  }
  std::map<std::string, std::vector<std::size_t>> by_seed;
  for (std::size_t i = 0; i < points.size(); ++i) {
    by_seed[points[i].context.get("boot.seed", "")].push_back(i);
  }
  std::vector<std::string> roles(points.size());
  for (const auto& [seed, members] : by_seed) {
    const std::string_view order = usual_order(members.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
      roles[members[i]].push_back(order[i]);
    }
  }
  return roles;
}

std::vector<std::string> distinct_roles(const std::vector<std::string>& roles) {
  std::vector<std::string> distinct;
  for (const std::string& role : roles) {
    if (std::find(distinct.begin(), distinct.end(), role) == distinct.end()) {
      distinct.push_back(role);
    }
  }
  return distinct;
}

void check_plan(const std::vector<point::Point>& points, const Plan& plan) {
  if (plan.roles.size() != points.size()) {
    throw Error(ExitStatus::kUsage,
                fmt::format("{} roles for {} points", plan.roles.size(), points.size()),
                "give --roles with one name for each point");
  }
  const std::vector<std::string> roles = distinct_roles(plan.roles);
  if (roles.size() < 2) {
    throw Error(ExitStatus::kUsage, "all points have one role: there is nothing to compare",
                "give at least two roles, such as A,B,A; one kernel against itself is --a-a");
  }
  if (!plan.against.empty() && std::find(roles.begin(), roles.end(), plan.against) == roles.end()) {
    throw Error(ExitStatus::kUsage,
                fmt::format("--against {}: no point has this role", plan.against),
                fmt::format("the roles are {}", fmt::join(roles, ", ")));
  }
}

void check_sources(const std::vector<point::Point>& points) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool one_table =
          points[i].origin == point::Origin::kImportedTsv && points[i].label != points[j].label;
      if (points[i].sha256 == points[j].sha256 && !points[i].sha256.empty() && !one_table) {
        throw Error(ExitStatus::kInvalid,
                    fmt::format("{}: is the same measurement as {} (equal SHA-256)",
                                points[i].source, points[j].source),
                    "each boot needs a point file of its own");
      }
    }
    if (points[i].unit != points[0].unit) {
      throw Error(ExitStatus::kInvalid,
                  fmt::format("{}:{}: counts {}, but {} counts {}", points[i].source,
                              points[i].rows.front().line, host::unit_text(points[i].unit),
                              points[0].source, host::unit_text(points[0].unit)),
                  "units are never mixed: measure both sides in one of them");
    }
  }
}

std::vector<PointFacts> facts_of(const std::vector<point::Point>& points, const Plan& plan) {
  std::vector<PointFacts> facts;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const point::Point& point = points[i];
    const std::string seed = point.context.get("boot.seed", "");
    facts.push_back({point.label, plan.roles[i], point.source, point.sha256,
                     point.unit == host::Unit::kInstructions ? seed : std::string(), point.origin,
                     point.context});
  }
  if (!are_unique(facts)) {
    std::map<std::string, int> seen;
    for (PointFacts& point : facts) {
      point.label = fmt::format("{}{}", point.role, ++seen[point.role]);
    }
  }
  return facts;
}

}  // namespace msgring::comparison
