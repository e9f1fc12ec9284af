// SPDX-License-Identifier: MIT
// The difference for programs: JSON and folded stacks.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "msgring/profile/render.hpp"

namespace msgring::profile {
namespace {

using Json = nlohmann::ordered_json;

Json pair_json(const Pair& pair) {
  return {{"a", pair.a}, {"b", pair.b}, {"change", pair.change()}};
}

Json kernel_json(const Subject& subject) {
  return {{"release", subject.kernel.release},
          {"version", subject.kernel.version},
          {"build_id", subject.kernel.build_id},
          {"emulator", subject.emulator},
          {"warmup", subject.warmup},
          {"rounds", subject.rounds}};
}

std::string_view sides_text(Sides sides) {
  switch (sides) {
    case Sides::kOnlyA:
      return "only A";
    case Sides::kOnlyB:
      return "only B";
    case Sides::kBoth:
      break;
  }
  return "both";
}

Json phase_json(const Difference& difference) {
  Json functions = Json::array();
  for (const FunctionRow& row : difference.functions) {
    functions.push_back({{"name", row.name},
                         {"sides", sides_text(row.sides)},
                         {"self", pair_json(row.self)},
                         {"inclusive", pair_json(row.inclusive)}});
  }
  Json nodes = Json::array();
  for (const DifferenceNode& node : difference.nodes) {
    nodes.push_back({{"parent", node.parent},
                     {"name", node.name},
                     {"self", pair_json(node.self)},
                     {"inclusive", pair_json(node.inclusive)},
                     {"calls", pair_json(node.calls)}});
  }
  return {{"phase", difference.phase},          {"noun", difference.noun},
          {"divisor", difference.divisor},      {"total", pair_json(difference.total)},
          {"user", pair_json(difference.user)}, {"functions", std::move(functions)},
          {"nodes", std::move(nodes)}};
}

std::string stack_of(const Difference& difference, std::size_t node) {
  std::string stack = difference.nodes[node].name;
  while (node != 0) {
    node = difference.nodes[node].parent;
    stack.insert(0, difference.nodes[node].name + ";");
  }
  return stack;
}

}  // namespace

std::string difference_json(std::span<const Difference> phases) {
  Json json = {{"msgring_difference", 1}, {"unit", "instructions"}};
  if (!phases.empty()) {
    const Difference& first = phases.front();
    json["workload"] = first.a.workload;
    json["parameters"] = first.a.parameters;
    json["a"] = kernel_json(first.a);
    json["b"] = kernel_json(first.b);
  }
  json["phases"] = Json::array();
  for (const Difference& phase : phases) {
    json["phases"].push_back(phase_json(phase));
  }
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string difference_folded(std::span<const Difference> phases) {
  std::string text;
  for (const Difference& phase : phases) {
    for (std::size_t i = 0; i < phase.nodes.size(); ++i) {
      const Pair& self = phase.nodes[i].self;
      if (self.a != 0 || self.b != 0) {
        text += fmt::format("{} {} {}\n", stack_of(phase, i), self.a, self.b);
      }
    }
  }
  return text;
}

}  // namespace msgring::profile
