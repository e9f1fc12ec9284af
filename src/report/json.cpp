// SPDX-License-Identifier: MIT
// The report for programs. Every key is described in docs/comparison.md.
#include <nlohmann/json.hpp>

#include "msgring/report/report.hpp"
#include "report/words.hpp"

namespace msgring::report {
namespace {

using nlohmann::ordered_json;

constexpr int kSchema = 1;

double in_percent(double fraction) { return 100.0 * fraction; }

ordered_json in_percent(const stats::Interval& interval) {
  return {in_percent(interval.low), in_percent(interval.high)};
}

ordered_json in_percent(const std::optional<double>& fraction) {
  return fraction ? ordered_json(in_percent(*fraction)) : ordered_json(nullptr);
}

ordered_json facts_json(const point::Facts& facts) {
  ordered_json json = ordered_json::object();
  for (const auto& [key, value] : facts.items()) {
    json[key] = value;
  }
  return json;
}

ordered_json settings_json(const stats::Settings& settings) {
  return {{"threshold_percent", in_percent(settings.threshold)},
          {"level_percent", in_percent(settings.level)},
          {"resamples", settings.resamples},
          {"seed", settings.seed},
          {"cv_limit_percent", in_percent(settings.cv_limit)},
          {"drift_limit_percent", in_percent(settings.drift_limit)},
          {"min_rounds", settings.min_rounds}};
}

ordered_json gates_json(const std::vector<stats::Gate>& gates) {
  ordered_json json = ordered_json::array();
  for (const stats::Gate& gate : gates) {
    json.push_back({{"name", gate.name},
                    {"state", gate_state_name(gate.state)},
                    {"figure", gate.figure},
                    {"advice", gate.advice}});
  }
  return json;
}

ordered_json role_json(const std::string& role, const stats::RoleSummary& summary,
                       const std::vector<stats::Boot>& boots) {
  ordered_json json = {{"role", role},
                       {"mean", summary.mean},
                       {"mean_without_first", summary.mean_without_first},
                       {"drift_percent", in_percent(summary.drift)},
                       {"boots", ordered_json::array()}};
  for (std::size_t i = 0; i < boots.size(); ++i) {
    const stats::Summary& all = summary.boots[i].all;
    json["boots"].push_back({{"label", boots[i].label},
                             {"seed", boots[i].seed},
                             {"n", all.n},
                             {"mean", all.mean},
                             {"median", all.median},
                             {"sd", all.sd},
                             {"cv_percent", in_percent(all.cv)},
                             {"min", all.min},
                             {"max", all.max},
                             {"mean_without_first", summary.boots[i].without_first.mean},
                             {"rounds", boots[i].rounds}});
  }
  return json;
}

ordered_json finding_json(const Entry& entry) {
  if (!entry.is_finding) {
    return nullptr;
  }
  const stats::Result& result = entry.result;
  ordered_json seed_deltas = ordered_json::array();
  for (const double delta : result.seed_deltas) {
    seed_deltas.push_back(in_percent(delta));
  }
  return {{"delta_percent", in_percent(result.delta)},
          {"delta_without_first_percent", in_percent(result.delta_without_first)},
          {"level_percent", in_percent(result.level)},
          {"interval_percent", in_percent(result.interval)},
          {"widening_points", in_percent(result.widening)},
          {"percentile_percent", in_percent(result.percentile)},
          {"bca_percent", in_percent(result.bca)},
          {"p_value", result.p_value},
          {"p_holm", result.p_holm},
          {"seed_deltas_percent", std::move(seed_deltas)}};
}

ordered_json entry_json(const Comparison& comparison, const Entry& entry) {
  return {
      {"primary", &entry == &comparison.entries.front()},
      {"title", entry.title},
      {"workload", entry.workload},
      {"parameters", facts_json(entry.parameters)},
      {"phase", entry.phase.name},
      {"operation", entry.phase.noun},
      {"cost_unit", unit_per(comparison, entry)},
      {"verdict", stats::verdict_text(entry.result.verdict)},
      {"reason", entry.result.reason},
      {"finding", finding_json(entry)},
      {"baseline", role_json(entry.baseline_role, entry.result.baseline, entry.contrast.baseline)},
      {"changed", role_json(entry.changed_role, entry.result.changed, entry.contrast.changed)},
      {"gates", gates_json(entry.result.gates)},
      {"doubts", entry.result.doubts}};
}

ordered_json points_json(const Comparison& comparison) {
  ordered_json json = ordered_json::array();
  for (const comparison::PointFacts& point : comparison.points) {
    json.push_back(
        {{"label", point.label},
         {"role", point.role},
         {"source", point.source},
         {"sha256", point.sha256},
         {"seed", point.seed},
         {"origin", point.origin == point::Origin::kImportedTsv ? "imported_tsv" : "point_file"},
         {"context", facts_json(point.context)}});
  }
  return json;
}

ordered_json differences_json(const Comparison& comparison) {
  ordered_json json = ordered_json::array();
  for (const comparison::Difference& difference : comparison.differences) {
    json.push_back({{"key", difference.key},
                    {"weight", weight_name(difference.weight)},
                    {"values", difference.values}});
  }
  return json;
}

}  // namespace

std::string json_report(const Comparison& comparison) {
  ordered_json json = {
      {"msgring_comparison", kSchema},
      {"verdict", stats::verdict_text(comparison.verdict)},
      {"reason", comparison.reason},
      {"sentence", verdict_sentence(comparison)},
      {"caveats", comparison.caveats},
      {"unit", host::unit_text(comparison.unit)},
      {"order", comparison.order},
      {"baseline_role", comparison.baseline_role},
      {"roles", comparison.roles},
      {"same_boot", comparison.same_boot},
      {"a_a", comparison.a_a},
      {"replication", comparison.replication == stats::Replication::kSeeds ? "seeds" : "boots"},
      {"settings", settings_json(comparison.settings)},
      {"checks",
       {{"rounds", comparison.checks.rounds},
        {"names", comparison.checks.names},
        {"verified", comparison.checks.verified}}},
      {"gates", gates_json(comparison.identity)},
      {"comparisons", ordered_json::array()},
      {"points", points_json(comparison)},
      {"differences", differences_json(comparison)}};
  for (const Entry& entry : comparison.entries) {
    json["comparisons"].push_back(entry_json(comparison, entry));
  }
  // Names from a table need not be UTF-8, and JSON must be.
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace msgring::report
