// SPDX-License-Identifier: MIT
// From Google Benchmark's JSON (schema version 1) to a Point.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "msgring/point/reader.hpp"
#include "point/json_stream.hpp"
#include "point/run_name.hpp"

namespace msgring::point {
namespace {

// A row's own keys; every other number in it is a counter.
constexpr std::array<std::string_view, 7> kRowKeys = {"family_index", "per_family_instance_index",
                                                      "repetitions",  "repetition_index",
                                                      "threads",      "iterations",
                                                      "real_time"};

struct TimeUnit {
  std::string_view text;
  host::Unit unit;
  double scale;
};
constexpr std::array<TimeUnit, 5> kTimeUnits = {{{"ns", host::Unit::kNanoseconds, 1.0},
                                                 {"us", host::Unit::kNanoseconds, 1e3},
                                                 {"ms", host::Unit::kNanoseconds, 1e6},
                                                 {"s", host::Unit::kNanoseconds, 1e9},
                                                 {"instructions", host::Unit::kInstructions, 1.0}}};

// One row being read: where it is, for messages.
class RowReader {
 public:
  RowReader(const Source& source, const JsonValue& json, std::size_t index)
      : source_(source), json_(json), index_(index) {}

  const std::string& text(std::string_view key) const {
    return typed(key, JsonKind::kString)->text;
  }
  std::string text_or(std::string_view key, std::string_view fallback) const {
    const JsonValue* value = typed_or_null(key, JsonKind::kString);
    return value != nullptr ? value->text : std::string(fallback);
  }
  bool is_true(std::string_view key) const {
    const JsonValue* value = typed_or_null(key, JsonKind::kBoolean);
    return value != nullptr && value->text == "true";
  }
  /// A count: not negative, whole, at most 64 bits.
  std::uint64_t count_or(std::string_view key, std::uint64_t fallback) const {
    const JsonValue* value = typed_or_null(key, JsonKind::kNumber);
    if (value == nullptr) {
      return fallback;
    }
    if (!(value->number >= 0.0 && value->number < 0x1p63) ||
        std::floor(value->number) != value->number) {
      fail(key, *value, fmt::format("is {}, not a count", value->text));
    }
    return std::stoull(value->text.find_first_of(".eE") == std::string::npos
                           ? value->text
                           : fmt::format("{:.0f}", value->number));
  }
  [[noreturn]] void fail(std::string_view key, const JsonValue& value,
                         std::string_view what) const {
    fail_at(source_, value.begin, fmt::format("benchmarks[{}].{} {}", index_, excerpt(key), what));
  }

 private:
  const JsonValue* typed_or_null(std::string_view key, JsonKind kind) const {
    const JsonValue* value = json_.find(key);
    if (value != nullptr && value->kind != kind) {
      fail(key, *value, fmt::format("is {}, not {}", kind_text(value->kind), kind_text(kind)));
    }
    return value;
  }
  const JsonValue* typed(std::string_view key, JsonKind kind) const {
    const JsonValue* value = typed_or_null(key, kind);
    if (value == nullptr) {
      fail_at(source_, json_.begin, fmt::format("benchmarks[{}] has no {}", index_, key));
    }
    return value;
  }

  const Source& source_;
  const JsonValue& json_;
  std::size_t index_;
};

void make_invalid(Row& row, std::string why) {
  if (row.valid) {
    row.valid = false;
    row.why = std::move(why);
  }
}

void read_failure(Row& row, const RowReader& reader) {
  if (reader.is_true("error_occurred")) {
    make_invalid(row, reader.text_or("error_message", "error_occurred without a message"));
  }
  if (reader.is_true("skipped")) {
    make_invalid(row, "skipped: " + reader.text_or("skip_message", "without a message"));
  }
}

void read_numbers(Row& row, const JsonValue& json, double scale) {
  for (const auto& [key, value] : json.members) {
    if (value.kind == JsonKind::kNonFinite) {
      make_invalid(row, fmt::format("{} is {}", excerpt(key), value.text));
    } else if (value.kind != JsonKind::kNumber) {
      continue;
    } else if (key == "real_time") {
      row.real_time = value.number * scale;
    } else if (key != "cpu_time" &&
               std::find(kRowKeys.begin(), kRowKeys.end(), key) == kRowKeys.end()) {
      row.counters.emplace(key, value.number);
    }
  }
}

// Google Benchmark's time and the harness's own are one figure: a wrong time_unit parts them.
void compare_times(Row& row) {
  const std::string name = fmt::format("interval_{}", host::unit_text(row.unit));
  const auto interval = row.counters.find(name);
  if (interval != row.counters.end() &&
      std::abs(row.real_time - interval->second) > 1e-6 * interval->second) {
    make_invalid(row, fmt::format("real_time is {:.10g} {}, but {} is {:.10g}", row.real_time,
                                  host::unit_text(row.unit), name, interval->second));
  }
}

const TimeUnit& read_time_unit(const JsonValue& json, const RowReader& reader) {
  const JsonValue* value = json.find("time_unit");
  if (value == nullptr) {
    return kTimeUnits.front();  // errored rows of some versions have none
  }
  const std::string& text = reader.text("time_unit");
  const auto found = std::find_if(kTimeUnits.begin(), kTimeUnits.end(),
                                  [&](const TimeUnit& unit) { return unit.text == text; });
  if (found == kTimeUnits.end()) {
    reader.fail("time_unit", *value,
                fmt::format("is \"{}\"; known are ns, us, ms, s, instructions", excerpt(text)));
  }
  return *found;
}

class PointBuilder {
 public:
  explicit PointBuilder(const Source& source) : source_(source) {
    point_.source = source.name;
    point_.label = std::filesystem::path(source.name).stem().string();
  }

  void member(const std::string& key, const JsonValue& value) {
    if (key == "context") {
      read_context(value);
    } else if (key == "benchmarks") {
      fail_at(source_, value.begin,
              fmt::format("benchmarks is {}, not a list", kind_text(value.kind)));
    }
  }

  void array(const std::string& key, std::size_t begin) {
    if (key == "context") {
      fail_at(source_, begin, "context is a list, not an object");
    }
    has_benchmarks_ = has_benchmarks_ || key == "benchmarks";
  }

  void element(const std::string& key, const JsonValue& json) {
    if (key != "benchmarks") {
      return;
    }
    if (json.kind != JsonKind::kObject) {
      fail_at(source_, json.begin,
              fmt::format("benchmarks[{}] is {}, not an object", index_, kind_text(json.kind)));
    }
    const RowReader reader(source_, json, index_++);
    if (reader.text_or("run_type", "iteration") == "aggregate") {
      ++point_.aggregate_rows;
      return;
    }
    read_row(json, reader);
  }

  Point finish() {
    if (!has_context_) {
      fail_at(source_, 0, "has no context: it is not Google Benchmark's JSON");
    }
    if (!has_benchmarks_) {
      fail_at(source_, source_.text.size(), "has no list of benchmarks: nothing was measured");
    }
    if (point_.rows.empty()) {
      fail_at(
          source_, source_.text.size(),
          point_.aggregate_rows > 0
              ? fmt::format("holds only aggregates ({} rows) and no rounds", point_.aggregate_rows)
              : "holds no rounds: its list of benchmarks is empty",
          "measure without --benchmark_report_aggregates_only");
    }
    decide_unit();
    return std::move(point_);
  }

 private:
  void read_context(const JsonValue& context) {
    if (context.kind != JsonKind::kObject) {
      fail_at(source_, context.begin,
              fmt::format("context is {}, not an object", kind_text(context.kind)));
    }
    has_context_ = true;
    for (const auto& [key, value] : context.members) {
      const bool nested = value.kind == JsonKind::kArray || value.kind == JsonKind::kObject;
      point_.context.add(key, nested ? one_line(value) : value.text);
    }
  }

  // A nested value as the file spells it, blanks taken out.
  std::string one_line(const JsonValue& value) const {
    std::string text(source_.text.substr(value.begin, value.end - value.begin));
    std::erase_if(text, [](char c) { return c == '\n' || c == '\r' || c == '\t' || c == ' '; });
    return text;
  }

  void read_row(const JsonValue& json, const RowReader& reader) {
    Row row;
    const TimeUnit& unit = read_time_unit(json, reader);
    row.run_name = reader.text_or("run_name", reader.text("name"));
    RunName name = parse_run_name(row.run_name);
    row.workload = std::move(name.workload);
    row.parameters = std::move(name.parameters);
    row.line = place_of(source_.text.substr(line_start_), json.begin - line_start_).line + line_;
    line_ = row.line - 1;
    line_start_ = source_.text.rfind('\n', json.begin) + 1;
    row.unit = unit.unit;
    row.iterations = reader.count_or("iterations", 0);
    row.repetition =
        static_cast<std::int64_t>(reader.count_or("repetition_index", rows_of_name_[row.run_name]));
    ++rows_of_name_[row.run_name];
    read_failure(row, reader);
    read_numbers(row, json, unit.scale);
    compare_times(row);
    if (row.valid && json.find("real_time") == nullptr) {
      fail_at(source_, json.begin, fmt::format("benchmarks[{}] has no real_time", index_ - 1));
    }
    point_.rows.push_back(std::move(row));
  }

  // A file is in one unit: its context says which, its rows must agree.
  void decide_unit() {
    point_.unit = point_.rows.front().unit;
    const std::string* said = point_.context.find("msgring.unit");
    for (const Row& row : point_.rows) {
      if (row.unit != point_.unit || (said != nullptr && *said != host::unit_text(row.unit))) {
        const std::string other =
            row.unit != point_.unit ? std::string(host::unit_text(point_.unit)) : excerpt(*said);
        fail_at(
            source_, offset_of_line(row.line),
            fmt::format("a round in {}, while the file says {}", host::unit_text(row.unit), other),
            "units are never mixed: measure again");
      }
    }
  }

  std::size_t offset_of_line(std::size_t line) const {
    std::size_t at = 0;
    for (std::size_t i = 1; i < line; ++i) {
      at = source_.text.find('\n', at) + 1;
    }
    return at;
  }

  const Source& source_;
  Point point_;
  bool has_context_ = false;
  bool has_benchmarks_ = false;
  std::size_t index_ = 0;
  std::size_t line_ = 0;        // lines before line_start_
  std::size_t line_start_ = 0;  // so that finding a row's line costs its own length only
  std::map<std::string, std::uint64_t> rows_of_name_;
};

}  // namespace

Point parse_point(std::string_view text, std::string_view name) {
  const Source source{name, text};
  PointBuilder builder(source);
  read_json(source, {[&](const auto& key, const auto& value) { builder.member(key, value); },
                     [&](const auto& key, std::size_t begin) { builder.array(key, begin); },
                     [&](const auto& key, const auto& value) { builder.element(key, value); }});
  return builder.finish();
}

}  // namespace msgring::point
