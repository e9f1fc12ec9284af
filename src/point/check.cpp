// SPDX-License-Identifier: MIT
// The faults of a point, each with its place.
#include "msgring/point/check.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <set>

#include "point/run_name.hpp"

namespace msgring::point {
namespace {

constexpr std::array<std::string_view, 15> kRequiredKeys = {
    "msgring.version", "msgring.clock",    "msgring.unit",   "msgring.arguments",
    "msgring.rounds",  "msgring.complete", "msgring.checks", "msgring.binary_sha256",
    "kernel.release",  "kernel.version",   "kernel.cmdline", "kernel.boot_id",
    "cpu.model",       "cpu.pinned",       "cpu.clocksource"};

class Checker {
 public:
  explicit Checker(const Point& point) : point_(point) {}

  std::vector<Fault> run() {
    check_context();
    check_rows();
    check_rounds();
    return std::move(faults_);
  }

 private:
  void add_context(std::string what) {
    faults_.push_back({point_.source + ": context", std::move(what)});
  }
  void add_row(const Row& row, std::string_view what) {
    faults_.push_back({fmt::format("{}:{}", point_.source, row.line),
                       fmt::format("{}, repetition {}: {}", title_of(row), row.repetition, what)});
  }

  void check_context() {
    const std::string* schema = point_.context.find("msgring.schema");
    if (schema == nullptr) {
      add_context("no msgring.schema: not written by msgring_bench");
    } else if (*schema != "1") {
      add_context(fmt::format("msgring.schema is {}; this version reads 1", *schema));
    }
    const std::string library_schema = point_.context.get("json_schema_version", "1");
    if (library_schema != "1") {
      add_context(fmt::format("json_schema_version is {}; this version reads 1", library_schema));
    }
    for (const std::string_view key : kRequiredKeys) {
      if (point_.context.find(key) == nullptr) {
        add_context(fmt::format("no {}", key));
      }
    }
    expect_fact("msgring.complete", "yes");
    expect_fact("msgring.checks", "passed");
    check_clock();
    check_library();
  }

  void expect_fact(std::string_view key, std::string_view expected) {
    const std::string* value = point_.context.find(key);
    if (value != nullptr && *value != expected) {
      add_context(fmt::format(R"({} is "{}", not "{}")", key, *value, expected));
    }
  }

  void check_clock() {
    const std::string* clock = point_.context.find("msgring.clock");
    if (clock == nullptr) {
      return;
    }
    const bool is_tsc = *clock == host::clock_text(host::ClockKind::kTsc);
    const bool counts = point_.unit == host::Unit::kInstructions;
    if (is_tsc != counts) {
      add_context(
          fmt::format("the clock {} does not count {}", *clock, host::unit_text(point_.unit)));
    }
  }

  void check_library() {
    const std::string* build = point_.context.find("library_build_type");
    if (build == nullptr || *build != "debug") {
      return;
    }
    for (const Row& row : point_.rows) {
      if (!parse_run_name(row.run_name).manual_time) {
        add_context("library_build_type is debug, and a row was timed by the library's own clock");
        return;
      }
    }
  }

  void check_rows() {
    for (const Row& row : point_.rows) {
      if (!row.valid) {
        add_row(row, row.why);
        continue;
      }
      if (!(row.real_time > 0.0)) {
        add_row(row, "took no time");
      }
      for (const auto& [name, value] : row.counters) {
        if (name.substr(0, 6) == "check." && value != 0.0) {
          add_row(row, fmt::format("{}: {:.0f} failures", name, value));
        }
      }
      for (const Phase& phase : phases_of(point_, row.workload)) {
        if (!cost_per_operation(row, phase)) {
          add_row(row, fmt::format("no cost per operation of its phase {}", phase.name));
        }
      }
    }
  }

  // One iteration row per round: each repetition of a run name once, none missing.
  void check_rounds() {
    std::map<std::string, std::set<std::int64_t>> seen;
    for (const Row& row : point_.rows) {
      if (!seen[row.run_name].insert(row.repetition).second) {
        add_row(row, "this repetition stands twice");
      }
    }
    const std::string* text = point_.context.find("msgring.rounds");
    std::int64_t rounds = 0;
    if (text != nullptr &&
        std::from_chars(text->data(), text->data() + text->size(), rounds).ec != std::errc()) {
      add_context(fmt::format("msgring.rounds is \"{}\", not a number", *text));
      return;
    }
    for (const auto& [name, repetitions] : seen) {
      const auto count = static_cast<std::int64_t>(repetitions.size());
      if (text != nullptr && count != rounds) {
        add_context(fmt::format("{}: {} rounds, but msgring.rounds is {}", name, count, rounds));
      } else if (*repetitions.rbegin() != count - 1) {
        add_context(fmt::format("{}: {} rounds, but the last is number {}", name, count,
                                *repetitions.rbegin()));
      }
    }
  }

  const Point& point_;
  std::vector<Fault> faults_;
};

}  // namespace

std::vector<Fault> check_point(const Point& point) { return Checker(point).run(); }

}  // namespace msgring::point
