// SPDX-License-Identifier: MIT
// KCIDB objects. Source: kcidb-io, schema version 5.3.
#include "msgring/report/kcidb.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "msgring/error.hpp"
#include "msgring/host/sha256.hpp"
#include "report/words.hpp"

namespace msgring::report {
namespace {

using nlohmann::ordered_json;
using stats::Verdict;

// A part of a test path: KCIDB allows letters, digits, _ and -.
std::string path_part(std::string_view text) {
  std::string part;
  for (const char c : text) {
    const bool allowed = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                         (c >= '0' && c <= '9') || c == '_' || c == '-';
    part += allowed ? c : '_';
  }
  return part;
}

// msgring.first_fill.fill.slots4096_batch64: parameters always in the last part.
std::string path_of(const Entry& entry) {
  std::string path =
      fmt::format("msgring.{}.{}", path_part(entry.workload), path_part(entry.phase.name));
  std::string parameters;
  for (const auto& [key, value] : entry.parameters.items()) {
    parameters +=
        fmt::format("{}{}{}", parameters.empty() ? "" : "_", path_part(key), path_part(value));
  }
  return parameters.empty() ? path : path + "." + parameters;
}

std::string_view judged_status(Verdict verdict) {
  switch (verdict) {
    case Verdict::kSlower:
      return "FAIL";
    case Verdict::kFaster:
    case Verdict::kUnchanged:
      return "PASS";
    case Verdict::kInconclusive:
      return "DONE";
    case Verdict::kInvalid:
      break;
  }
  return "ERROR";
}

bool identifies_kernel(std::string_view key) {
  return key == "kernel.release" || key == "kernel.version" || key == "kernel.build_id" ||
         key == "kernel.cmdline" || key == "kernel.config_sha256";
}

void check_options(const KcidbOptions& options) {
  if (!std::regex_match(options.origin, std::regex("[a-z0-9_]+"))) {
    throw Error(ExitStatus::kUsage,
                fmt::format("--kcidb-origin \"{}\": not a KCIDB origin", options.origin),
                "give small letters, digits and _");
  }
  for (const auto& [role, id] : options.builds) {
    if (!std::regex_match(id, std::regex("[a-z0-9_]+:.+"))) {
      throw Error(ExitStatus::kUsage, fmt::format("--kcidb-build {}={}: not a KCIDB id", role, id),
                  "give origin:id");
    }
  }
}

class Submission {
 public:
  Submission(const Comparison& comparison, const KcidbOptions& options)
      : comparison_(comparison), options_(options) {
    for (const comparison::PointFacts& point : comparison.points) {
      evidence_ += point.sha256 + point.role;
    }
  }

  std::string text() {
    for (const std::string& role : comparison_.roles) {
      add_build(role);
    }
    for (const Entry& entry : comparison_.entries) {
      add_test(entry, entry.baseline_role, entry.result.baseline);
      add_test(entry, entry.changed_role, entry.result.changed);
    }
    ordered_json json = {{"version", {{"major", 5}, {"minor", 3}}}};
    for (const auto& [name, objects] :
         {std::pair<const char*, const ordered_json*>{"checkouts", &checkouts_},
          {"builds", &builds_},
          {"tests", &tests_}}) {
      if (!objects->empty()) {
        json[name] = *objects;
      }
    }
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
  }

 private:
  std::string id_of(std::string_view what) const {
    return fmt::format("{}:{}", options_.origin,
                       host::sha256_of_bytes(fmt::format("{}{}", evidence_, what)).substr(0, 20));
  }

  void add_build(const std::string& role) {
    const auto given = options_.builds.find(role);
    if (given != options_.builds.end()) {
      build_ids_[role] = given->second;
      return;
    }
    ordered_json kernel = ordered_json::object();
    for (const comparison::PointFacts& point : comparison_.points) {
      for (const auto& [key, value] : point.context.items()) {
        if (point.role == role && identifies_kernel(key)) {
          kernel.emplace(key.substr(7), value);
        }
      }
    }
    const std::string checkout = id_of("checkout " + role);
    build_ids_[role] = id_of("build " + role);
    checkouts_.push_back({{"id", checkout}, {"origin", options_.origin}});
    builds_.push_back({{"id", build_ids_[role]},
                       {"origin", options_.origin},
                       {"checkout_id", checkout},
                       {"comment", fmt::format("kernel of role {}", role)},
                       {"misc", std::move(kernel)}});
  }

  // One baseline serves several roles of one phase: it is submitted once.
  void add_test(const Entry& entry, const std::string& role, const stats::RoleSummary& summary) {
    const bool judged = role == entry.changed_role;
    const std::string id = id_of(fmt::format("{} {} {}", entry.title, entry.phase.name, role));
    if (!ids_.insert(id).second) {
      return;
    }
    const bool valid = entry.result.verdict != Verdict::kInvalid;
    const std::string_view status =
        judged || !valid ? judged_status(entry.result.verdict) : std::string_view("DONE");
    ordered_json test = {{"id", id},
                         {"origin", options_.origin},
                         {"build_id", build_ids_[role]},
                         {"path", path_of(entry)},
                         {"status", status}};
    if (valid) {
      test["number"] = number(summary.mean);
    }
    test["comment"] = fmt::format("{}, {}", place_of(entry), unit_per(comparison_, entry));
    if (judged) {
      test["comment"] = fmt::format("{}; {} against {}: {}", test["comment"].get<std::string>(),
                                    entry.changed_role, entry.baseline_role, entry.result.reason);
    }
    test["misc"] = misc(entry, role, summary);
    tests_.push_back(std::move(test));
  }

  ordered_json number(double mean) const {
    if (comparison_.unit == host::Unit::kInstructions) {
      return {{"value", mean}, {"unit", "instructions"}};
    }
    return {{"value", mean * 1e-9}, {"unit", "s"}, {"prefix", "metric"}};
  }

  ordered_json misc(const Entry& entry, const std::string& role,
                    const stats::RoleSummary& summary) const {
    ordered_json misc = {{"role", role}, {"boots", summary.boots.size()}};
    if (role != entry.changed_role) {
      return misc;
    }
    misc["verdict"] = stats::verdict_text(entry.result.verdict);
    if (entry.is_finding) {
      const stats::Result& result = entry.result;
      misc["delta_percent"] = 100.0 * result.delta;
      misc["interval_percent"] = {100.0 * result.interval.low, 100.0 * result.interval.high};
      misc["level_percent"] = 100.0 * result.level;
    }
    return misc;
  }

  const Comparison& comparison_;
  const KcidbOptions& options_;
  std::string evidence_;
  std::map<std::string, std::string> build_ids_;
  std::set<std::string> ids_;
  ordered_json checkouts_ = ordered_json::array();
  ordered_json builds_ = ordered_json::array();
  ordered_json tests_ = ordered_json::array();
};

}  // namespace

std::string kcidb_report(const Comparison& comparison, const KcidbOptions& options) {
  check_options(options);
  return Submission(comparison, options).text();
}

}  // namespace msgring::report
