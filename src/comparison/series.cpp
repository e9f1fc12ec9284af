// SPDX-License-Identifier: MIT
// Rows to series: same workloads, same phases, same number of rounds in every point.
#include "comparison/series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "comparison/roles.hpp"
#include "msgring/error.hpp"

namespace msgring::comparison {
namespace {

using point::Phase;
using point::Point;
using point::Row;

[[noreturn]] void fail_at_row(const Point& point, const Row& row, std::string_view what,
                              std::string hint = {}) {
  throw Error(ExitStatus::kInvalid,
              fmt::format("{}:{}: {}, round {}: {}", point.source, row.line, title_of(row),
                          row.repetition, what),
              std::move(hint));
}

// The rows of one benchmark of one point, by repetition.
struct Series {
  std::string title;
  std::vector<const Row*> rows;
};

std::vector<Series> series_of(const Point& point) {
  std::vector<Series> all;
  for (const Row& row : point.rows) {
    if (!row.valid) {
      fail_at_row(point, row, row.why, "a failed round is no sample: measure this boot again");
    }
    const std::string title = title_of(row);
    auto found = std::find_if(all.begin(), all.end(),
                              [&](const Series& series) { return series.title == title; });
    if (found == all.end()) {
      found = all.insert(all.end(), Series{title, {}});
    }
    found->rows.push_back(&row);
  }
  for (Series& series : all) {
    std::stable_sort(series.rows.begin(), series.rows.end(),
                     [](const Row* a, const Row* b) { return a->repetition < b->repetition; });
    const auto twice = std::adjacent_find(
        series.rows.begin(), series.rows.end(),
        [](const Row* a, const Row* b) { return a->repetition == b->repetition; });
    if (twice != series.rows.end()) {
      fail_at_row(point, **std::next(twice), "stands twice", "keep one measurement per file");
    }
  }
  return all;
}

// Phases that are worth a comparison: `interval` repeats a single other phase.
std::vector<Phase> compared_phases(const Point& point, const std::string& workload) {
  std::vector<Phase> phases = point::phases_of(point, workload);
  if (phases.size() == 2) {
    std::erase_if(phases, [](const Phase& phase) { return phase.name == "interval"; });
  }
  return phases;
}

std::string titles_text(const std::vector<Series>& all) {
  std::vector<std::string> titles;
  std::transform(all.begin(), all.end(), std::back_inserter(titles),
                 [](const Series& series) { return series.title; });
  std::sort(titles.begin(), titles.end());
  return fmt::format("{}", fmt::join(titles, ", "));
}

void check_same_shape(const Point& first, const std::vector<Series>& expected, const Point& point,
                      const std::vector<Series>& all) {
  if (titles_text(expected) != titles_text(all)) {
    throw Error(
        ExitStatus::kInvalid,
        fmt::format("{}:{}: measured {}, but {} measured {}", point.source, point.rows.front().line,
                    titles_text(all), first.source, titles_text(expected)),
        "compare points of the same workloads and parameters");
  }
  for (const Series& series : all) {
    const auto same = std::find_if(expected.begin(), expected.end(), [&](const Series& other) {
      return other.title == series.title;
    });
    if (same->rows.size() != series.rows.size()) {
      fail_at_row(point, *series.rows.back(),
                  fmt::format("the last of {} rounds, but {} has {}", series.rows.size(),
                              first.source, same->rows.size()),
                  "every boot must measure the same number of rounds");
    }
    const std::string& workload = series.rows.front()->workload;
    if (compared_phases(point, workload) != compared_phases(first, workload)) {
      fail_at_row(point, *series.rows.front(), fmt::format("other phases than in {}", first.source),
                  "measure every boot with the same msgring_bench");
    }
  }
}

stats::Boot boot_of(const Point& point, const PointFacts& facts, const Series& series,
                    const Phase& phase) {
  stats::Boot boot{facts.label, facts.seed, {}};
  for (const Row* row : series.rows) {
    const std::optional<double> cost = point::cost_per_operation(*row, phase);
    if (!cost || !(*cost > 0.0)) {
      fail_at_row(point, *row, fmt::format("no cost in its phase {}", phase.name),
                  "a round without a cost is no sample: measure this boot again");
    }
    boot.rounds.push_back(*cost);
  }
  return boot;
}

class EntryMaker {
 public:
  EntryMaker(const std::vector<Point>& points, const std::vector<PointFacts>& facts,
             const std::string& baseline)
      : points_(points), facts_(facts), baseline_(baseline) {
    for (const Point& point : points) {
      series_.push_back(series_of(point));
      check_same_shape(points.front(), series_.front(), point, series_.back());
    }
  }

  std::vector<Entry> all(const std::vector<std::string>& roles) const {
    std::vector<Entry> entries;
    for (const Series& series : series_.front()) {
      const Row& row = *series.rows.front();
      for (const Phase& phase : compared_phases(points_.front(), row.workload)) {
        for (const std::string& role : roles) {
          if (role != baseline_) {
            entries.push_back(make(series.title, row, phase, role));
          }
        }
      }
    }
    return entries;
  }

 private:
  Entry make(const std::string& title, const Row& row, const Phase& phase,
             const std::string& role) const {
    Entry entry;
    entry.title = title;
    entry.workload = row.workload;
    entry.parameters = row.parameters;
    entry.phase = phase;
    entry.baseline_role = baseline_;
    entry.changed_role = role;
    entry.contrast.name = fmt::format("{}/{}/{} against {}", title, phase.name, role, baseline_);
    const bool has_seeds = std::none_of(facts_.begin(), facts_.end(),
                                        [](const PointFacts& point) { return point.seed.empty(); });
    entry.contrast.replication =
        has_seeds ? stats::Replication::kSeeds : stats::Replication::kBoots;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const bool is_baseline = facts_[i].role == baseline_;
      if (is_baseline || facts_[i].role == role) {
        auto& boots = is_baseline ? entry.contrast.baseline : entry.contrast.changed;
        boots.push_back(boot_of(points_[i], facts_[i], series_named(i, title), phase));
      }
    }
    return entry;
  }

  const Series& series_named(std::size_t point, const std::string& title) const {
    return *std::find_if(series_[point].begin(), series_[point].end(),
                         [&](const Series& series) { return series.title == title; });
  }

  const std::vector<Point>& points_;
  const std::vector<PointFacts>& facts_;
  const std::string& baseline_;
  std::vector<std::vector<Series>> series_;
};

void move_primary_first(std::vector<Entry>& entries, const std::string& primary) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) {
    return primary == entry.workload || primary == entry.title ||
           primary == fmt::format("{}/{}", entry.workload, entry.phase.name) ||
           primary == fmt::format("{}/{}", entry.title, entry.phase.name);
  });
  if (found == entries.end()) {
    std::vector<std::string> names;
    for (const Entry& entry : entries) {
      names.push_back(fmt::format("{}/{}", entry.title, entry.phase.name));
    }
    names.erase(std::unique(names.begin(), names.end()), names.end());
    throw Error(ExitStatus::kUsage, fmt::format("--primary {}: not measured", primary),
                fmt::format("measured were {}", fmt::join(names, ", ")));
  }
  std::rotate(entries.begin(), found, std::next(found));
}

bool is_check(std::string_view counter) { return counter.substr(0, 6) == "check."; }

}  // namespace

std::vector<Entry> entries_of(const std::vector<Point>& points,
                              const std::vector<PointFacts>& facts, const Plan& plan) {
  const std::string& baseline = plan.against.empty() ? facts.front().role : plan.against;
  std::vector<Entry> entries = EntryMaker(points, facts, baseline).all(distinct_roles(plan.roles));
  if (!plan.primary.empty()) {
    move_primary_first(entries, plan.primary);
  }
  return entries;
}

CheckTotals count_checks(const std::vector<Point>& points) {
  CheckTotals totals;
  std::map<std::string, std::size_t> seen;
  for (const Point& point : points) {
    for (const Row& row : point.rows) {
      ++totals.rounds;
      if (point.origin == point::Origin::kImportedTsv) {
        ++seen["semantic_pass"];
      }
      for (const auto& [name, value] : row.counters) {
        if (is_check(name)) {
          ++seen[name.substr(6)];
        }
      }
    }
  }
  for (const auto& [name, count] : seen) {
    totals.names.push_back(name);
    totals.verified += count;
  }
  return totals;
}

stats::Gate checks_gate(const std::vector<Point>& points, const CheckTotals& totals) {
  stats::Gate gate{
      "checks",
      stats::GateState::kFailed,
      {},
      "numbers of a round that failed a check are never used: measure this boot again"};
  for (const Point& point : points) {
    for (const char* key : {"msgring.complete", "msgring.checks"}) {
      const std::string expected = key == std::string_view("msgring.complete") ? "yes" : "passed";
      const std::string* value = point.context.find(key);
      if (value != nullptr && *value != expected) {
        gate.figure = fmt::format("{}: {} is \"{}\"", point.source, key, *value);
        return gate;
      }
    }
    for (const Row& row : point.rows) {
      for (const auto& [name, value] : row.counters) {
        if (is_check(name) && value != 0.0) {
          gate.figure =
              fmt::format("{}:{}: {}: {:.0f} failures", point.source, row.line, name, value);
          return gate;
        }
      }
    }
  }
  if (totals.verified == 0) {
    gate.state = stats::GateState::kUnknown;
    gate.figure = "the points hold no check results";
    gate.advice = "measure with msgring_bench";
    return gate;
  }
  gate.state = stats::GateState::kPassed;
  gate.figure =
      fmt::format("{} results of {} check{} in {} rounds, 0 failures", totals.verified,
                  totals.names.size(), totals.names.size() == 1 ? "" : "s", totals.rounds);
  return gate;
}

}  // namespace msgring::comparison
