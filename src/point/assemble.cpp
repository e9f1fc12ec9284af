// SPDX-License-Identifier: MIT
// Google Benchmark's report, corrected and with the point's identity in its context.
#include "msgring/point/assemble.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "msgring/error.hpp"
#include "point/nonfinite.hpp"

namespace msgring::point {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kNotRun = "not run:";

// JSON's null takes the place of each non-finite token, so null means "was not finite" below.
ordered_json parse_report(std::string_view text) {
  const MaskedText masked = mask_nonfinite(text);
  std::string repaired;
  std::size_t copied = 0;
  for (const std::size_t end : masked.ends) {
    const std::size_t begin = masked.text.rfind('"', end - 2);
    repaired.append(masked.text, copied, begin - copied).append("null");
    copied = end;
  }
  repaired.append(masked.text, copied);
  try {
    return ordered_json::parse(repaired);
  } catch (const ordered_json::exception& error) {
    throw Error(ExitStatus::kInvalid,
                fmt::format("Google Benchmark's report is not JSON: {}", error.what()));
  }
}

bool is_aggregate(const ordered_json& row) { return row.value("run_type", "") == "aggregate"; }

bool was_not_run(const ordered_json& row) {
  return row.value("error_occurred", false) &&
         row.value("error_message", "").substr(0, kNotRun.size()) == kNotRun;
}

bool is_check(std::string_view key) { return key.substr(0, 6) == "check."; }

void clean_aggregate(ordered_json& row) {
  for (auto item = row.begin(); item != row.end();) {
    item = item->is_null() || is_check(item.key()) ? row.erase(item) : std::next(item);
  }
}

void fail_if_not_finite(ordered_json& row) {
  for (const auto& item : row.items()) {
    if (item.value().is_null() && !row.value("error_occurred", false)) {
      const std::string message = fmt::format("{} is not a finite number", item.key());
      row["error_occurred"] = true;
      row["error_message"] = message;
      return;
    }
  }
}

void set_unit(ordered_json& row, host::Unit unit) {
  if (unit == host::Unit::kInstructions && row.contains("time_unit")) {
    row["time_unit"] = host::unit_text(unit);
    row["cpu_time"] = 0.0;
  }
}

ordered_json clean_rows(const ordered_json& rows, host::Unit unit) {
  ordered_json kept = ordered_json::array();
  for (ordered_json row : rows) {
    if (was_not_run(row)) {
      continue;
    }
    if (is_aggregate(row)) {
      clean_aggregate(row);
    } else {
      fail_if_not_finite(row);
    }
    set_unit(row, unit);
    kept.push_back(std::move(row));
  }
  return kept;
}

}  // namespace

std::string assemble_point(std::string_view benchmark_json,
                           const std::vector<std::pair<std::string, std::string>>& facts,
                           host::Unit unit) {
  ordered_json report = parse_report(benchmark_json);
  if (!report.is_object() || !report.contains("context") || !report["context"].is_object() ||
      !report.contains("benchmarks") || !report["benchmarks"].is_array()) {
    throw Error(ExitStatus::kInvalid,
                "Google Benchmark's report lacks its context or its list of benchmarks");
  }
  ordered_json& context = report["context"];
  for (const auto& [key, value] : facts) {
    if (context.contains(key)) {
      throw Error(ExitStatus::kInvalid, fmt::format("the context key {} is given twice", key));
    }
    context[key] = value;
  }
  report["benchmarks"] = clean_rows(report["benchmarks"], unit);
  // Bytes that are not UTF-8 (a firmware string, a command line) must not lose a measurement.
  return report.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace msgring::point
