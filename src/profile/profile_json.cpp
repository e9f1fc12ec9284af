// SPDX-License-Identifier: MIT
// The profile file: JSON in which a node is four numbers.
#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "msgring/error.hpp"
#include "msgring/profile/profile.hpp"

namespace msgring::profile {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;

[[noreturn]] void refuse(const std::string& source, const std::string& why) {
  throw Error(ExitStatus::kInvalid, fmt::format("{}: damaged profile: {}", source, why),
              "make it again with 'msgring explain'");
}

Json phase_json(const PhaseProfile& phase) {
  Json nodes = Json::array();
  for (const Node& node : phase.nodes) {
    nodes.push_back({node.parent, node.function, node.calls, node.self});
  }
  return {{"name", phase.name},
          {"noun", phase.noun},
          {"operations", phase.operations},
          {"clock_instructions", phase.clock_instructions},
          {"instructions", phase.instructions()},
          {"nodes", std::move(nodes)}};
}

/// Reads fields and names the one that is missing or wrong.
class Reader {
 public:
  Reader(const Json& json, std::string place, const std::string& source)
      : json_(json), place_(std::move(place)), source_(source) {
    if (!json.is_object()) {
      refuse(source_, fmt::format("{} is no object", place_));
    }
  }

  std::string text(const char* key) const {
    const Json& value = at(key);
    return value.is_string() ? value.get<std::string>() : wrong(key).get<std::string>();
  }

  std::uint64_t number(const char* key) const { return unsigned_of(at(key), key); }

  std::uint32_t small_number(const char* key) const { return narrow(number(key), key); }

  const Json& array(const char* key) const {
    const Json& value = at(key);
    return value.is_array() ? value : wrong(key);
  }

  const Json& at(const char* key) const {
    const auto found = json_.find(key);
    return found != json_.end() ? *found : wrong(key);
  }

  std::uint64_t unsigned_of(const Json& value, const char* key) const {
    return value.is_number_unsigned() ? value.get<std::uint64_t>()
                                      : wrong(key).get<std::uint64_t>();
  }

  std::uint32_t narrow(std::uint64_t value, const char* key) const {
    if (value > std::numeric_limits<std::uint32_t>::max()) {
      wrong(key);
    }
    return static_cast<std::uint32_t>(value);
  }

 private:
  [[noreturn]] const Json& wrong(const char* key) const {
    refuse(source_, fmt::format("{}.{} is missing or wrong", place_, key));
  }

  const Json& json_;
  std::string place_;
  const std::string& source_;
};

Node read_node(const Json& json, const Reader& reader) {
  if (!json.is_array() || json.size() != 4) {
    return {reader.narrow(std::numeric_limits<std::uint64_t>::max(), "nodes"), 0, 0, 0};
  }
  return {reader.narrow(reader.unsigned_of(json[0], "nodes"), "nodes"),
          reader.narrow(reader.unsigned_of(json[1], "nodes"), "nodes"),
          reader.unsigned_of(json[2], "nodes"), reader.unsigned_of(json[3], "nodes")};
}

PhaseProfile read_phase(const Json& json, std::size_t functions, const std::string& source) {
  const Reader reader(json, "phase", source);
  PhaseProfile phase{reader.text("name"),
                     reader.text("noun"),
                     reader.number("operations"),
                     reader.number("clock_instructions"),
                     {}};
  for (const Json& entry : reader.array("nodes")) {
    const Node node = read_node(entry, reader);
    const std::size_t index = phase.nodes.size();
    if (node.function >= functions || (index == 0 ? node.parent != 0 : node.parent >= index)) {
      refuse(source, fmt::format("phase {}: node {} is out of order", phase.name, index));
    }
    phase.nodes.push_back(node);
  }
  if (phase.nodes.empty() || phase.operations == 0) {
    refuse(source, fmt::format("phase {} is empty", phase.name));
  }
  if (phase.instructions() != reader.number("instructions")) {
    refuse(source, fmt::format("phase {}: the nodes' sum is {}, not the {} that it says",
                               phase.name, phase.instructions(), reader.number("instructions")));
  }
  return phase;
}

Subject read_subject(const Reader& reader, const std::string& source) {
  const Reader kernel(reader.at("kernel"), "kernel", source);
  return {{kernel.text("release"), kernel.text("version"), kernel.text("build_id")},
          reader.text("workload"),
          reader.text("parameters"),
          reader.text("emulator"),
          reader.small_number("warmup"),
          reader.small_number("rounds")};
}

}  // namespace

std::string profile_text(const Profile& profile) {
  const Subject& subject = profile.subject;
  Json phases = Json::array();
  for (const PhaseProfile& phase : profile.phases) {
    phases.push_back(phase_json(phase));
  }
  const Json json = {{"msgring_profile", kSchema},
                     {"unit", "instructions"},
                     {"kernel",
                      {{"release", subject.kernel.release},
                       {"version", subject.kernel.version},
                       {"build_id", subject.kernel.build_id}}},
                     {"workload", subject.workload},
                     {"parameters", subject.parameters},
                     {"emulator", subject.emulator},
                     {"warmup", subject.warmup},
                     {"rounds", subject.rounds},
                     {"functions", profile.functions},
                     {"phases", std::move(phases)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Profile parse_profile(std::string_view text, const std::string& source) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) {
    refuse(source, "it is not JSON, or was cut");
  }
  const Reader reader(json, "profile", source);
  if (reader.number("msgring_profile") != kSchema || reader.text("unit") != "instructions") {
    refuse(source, "it is not a profile of version 1 in instructions");
  }
  Profile profile;
  profile.subject = read_subject(reader, source);
  for (const Json& name : reader.array("functions")) {
    if (!name.is_string()) {
      refuse(source, "a function without a name");
    }
    profile.functions.push_back(name.get<std::string>());
  }
  for (const Json& phase : reader.array("phases")) {
    profile.phases.push_back(read_phase(phase, profile.functions.size(), source));
  }
  return profile;
}

}  // namespace msgring::profile
