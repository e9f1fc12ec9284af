// SPDX-License-Identifier: MIT
// A point: every round of every workload that one boot of one kernel measured, and who measured it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "msgring/host/clock.hpp"

namespace msgring::point {

/// Ordered name and value pairs: the context's facts, a benchmark name's `key:value` parts.
class Facts {
 public:
  /// Appends; the caller sees to it that `key` is new.
  void add(std::string key, std::string value) {
    items_.emplace_back(std::move(key), std::move(value));
  }
  /// The value of `key`, or null if the file does not have it.
  const std::string* find(std::string_view key) const noexcept;
  /// The value of `key`, or `fallback`.
  std::string get(std::string_view key, std::string_view fallback = "unknown") const;

  const std::vector<std::pair<std::string, std::string>>& items() const noexcept { return items_; }
  bool operator==(const Facts&) const = default;

 private:
  std::vector<std::pair<std::string, std::string>> items_;
};

/// True for the states that a fact may have instead of a value: "unknown (why)".
bool is_unknown(std::string_view value) noexcept;
/// True for "absent (why)": looked for, and this machine does not have it.
bool is_absent(std::string_view value) noexcept;

/// One round: an `iteration` row of the file.
struct Row {
  std::string run_name;          ///< as Google Benchmark wrote it, with its decorations
  std::string workload;          ///< the run name's first part, `first_fill`
  Facts parameters;              ///< its `key:value` parts, without Google Benchmark's own
  std::int64_t repetition = 0;   ///< 0-based; numbered in file order where the file does not say
  std::uint64_t iterations = 0;  ///< Google Benchmark's own count, 64 bits
  bool valid = true;
  std::string why;  ///< why it is not valid: the failed check, or the field that is no number
  double real_time = 0.0;  ///< the round's interval, in the point's unit
  host::Unit unit = host::Unit::kNanoseconds;
  std::map<std::string, double, std::less<>> counters;  ///< finite numbers only
  std::size_t line = 0;                                 ///< where the row begins in its file
};

/// Where a point came from, which decides what may be expected of its identity.
enum class Origin {
  kPointFile,    ///< Google Benchmark JSON
  kImportedTsv,  ///< the reporter's table: rounds and a CPU number, no identity
};

/// All rounds of one boot. `rows` are in file order and never empty.
struct Point {
  std::string source;  ///< the file's name as given, for error lines and reports
  std::string label;   ///< a short name: the TSV's point name, otherwise the file's stem
  std::string sha256;  ///< of the file's bytes; empty for a text that was no file
  Origin origin = Origin::kPointFile;
  host::Unit unit = host::Unit::kNanoseconds;
  Facts context;
  std::vector<Row> rows;
  std::size_t aggregate_rows = 0;  ///< mean, cv, ... rows: counted, never used as samples
};

/// A separately timed part of a workload, and what one operation of it is.
struct Phase {
  std::string name;  ///< `fill`
  std::string noun;  ///< `install`
  bool operator==(const Phase&) const = default;
};

/// The phases of `workload`, from the context's `msgring.workload.<name>.phases`
/// ("fill:install,..."). A foreign Google Benchmark file has one phase, `time`, of one `iteration`.
std::vector<Phase> phases_of(const Point& point, std::string_view workload);

/// Cost per operation of one phase of a row, in the row's unit; nothing if the row lacks the phase
/// or counted no operation in it.
std::optional<double> cost_per_operation(const Row& row, const Phase& phase);

/// `first_fill slots:4096 batch:64`: a row's workload and parameters, as people see it.
std::string title_of(const Row& row);

}  // namespace msgring::point
