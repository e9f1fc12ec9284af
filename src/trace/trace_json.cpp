// SPDX-License-Identifier: MIT
// The trace as JSON, and back.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "msgring/error.hpp"
#include "msgring/trace/trace.hpp"

namespace msgring::trace {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;

Json phase_json(const PhaseTrace& phase) {
  Json calls = Json::array();
  for (const CallCount& count : phase.calls) {
    calls.push_back({{"chain", count.chain}, {"calls", count.calls}});
  }
  Json sites = Json::array();
  for (const SiteCount& count : phase.sites) {
    sites.push_back({{"event", count.event == MemoryEvent::kFree ? "free" : "allocation"},
                     {"site", count.site},
                     {"count", count.count},
                     {"bytes", count.bytes}});
  }
  return {{"name", phase.name},
          {"noun", phase.noun},
          {"operations", phase.operations},
          {"calls", std::move(calls)},
          {"sites", std::move(sites)}};
}

PhaseTrace read_phase(const Json& json) {
  PhaseTrace phase;
  json.at("name").get_to(phase.name);
  json.at("noun").get_to(phase.noun);
  json.at("operations").get_to(phase.operations);
  for (const Json& entry : json.at("calls")) {
    CallCount count{entry.at("chain").get<std::vector<std::string>>(),
                    entry.at("calls").get<std::uint64_t>()};
    if (count.chain.empty()) {
      throw Error(ExitStatus::kInvalid, "a call without a function");
    }
    phase.calls.push_back(std::move(count));
  }
  for (const Json& entry : json.at("sites")) {
    const bool free = entry.at("event").get<std::string>() == "free";
    phase.sites.push_back(
        {free ? MemoryEvent::kFree : MemoryEvent::kAllocation, entry.at("site").get<std::string>(),
         entry.at("count").get<std::uint64_t>(), entry.at("bytes").get<std::uint64_t>()});
  }
  return phase;
}

Trace read_trace(const Json& json) {
  if (json.at("msgring_trace").get<int>() != kSchema) {
    throw Error(ExitStatus::kInvalid, "it is not of version 1");
  }
  Trace trace;
  json.at("release").get_to(trace.release);
  json.at("workload").get_to(trace.workload);
  json.at("parameters").get_to(trace.parameters);
  json.at("has_calls").get_to(trace.has_calls);
  json.at("has_sites").get_to(trace.has_sites);
  json.at("reasons").get_to(trace.reasons);
  json.at("absent").get_to(trace.absent);
  for (const Json& phase : json.at("phases")) {
    trace.phases.push_back(read_phase(phase));
  }
  return trace;
}

}  // namespace

std::string trace_json(const Trace& trace) {
  Json phases = Json::array();
  for (const PhaseTrace& phase : trace.phases) {
    phases.push_back(phase_json(phase));
  }
  const Json json = {{"msgring_trace", kSchema},     {"release", trace.release},
                     {"workload", trace.workload},   {"parameters", trace.parameters},
                     {"has_calls", trace.has_calls}, {"has_sites", trace.has_sites},
                     {"reasons", trace.reasons},     {"absent", trace.absent},
                     {"phases", std::move(phases)}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Trace parse_trace(std::string_view text, const std::string& source) {
  try {
    return read_trace(Json::parse(text));
  } catch (const std::exception& error) {
    throw Error(ExitStatus::kInvalid, fmt::format("{}: damaged trace: {}", source, describe(error)),
                "make it again with 'msgring trace'");
  }
}

}  // namespace msgring::trace
