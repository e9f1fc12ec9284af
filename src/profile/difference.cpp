// SPDX-License-Identifier: MIT
#include "msgring/profile/difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>

#include "msgring/error.hpp"

namespace msgring::profile {
namespace {

[[noreturn]] void refuse(std::string why, std::string hint) {
  throw Error(ExitStatus::kInvalid, "explain: " + std::move(why), std::move(hint));
}

std::int64_t times(std::uint64_t count, std::uint64_t factor) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(count, factor, &product)) {
    refuse("a count does not fit 63 bits", "profile fewer rounds");
  }
  return product;
}

/// One side's call tree with its own names: what the union is made from.
struct SideNode {
  std::string name;
  std::int64_t self = 0;
  std::int64_t calls = 0;
  std::int64_t inclusive = 0;
  std::vector<const SideNode*> children;
};

template <class Name>
std::vector<SideNode> side_tree(const Profile& profile, const PhaseProfile& phase,
                                std::uint64_t factor, Name name_of) {
  std::vector<SideNode> nodes(phase.nodes.size());
  for (std::size_t i = nodes.size(); i-- > 0;) {
    const Node& from = phase.nodes[i];
    nodes[i].name = name_of(profile.functions[from.function]);
    nodes[i].self = times(from.self, factor);
    nodes[i].calls = times(from.calls, factor);
    nodes[i].inclusive += nodes[i].self;
    if (i != 0) {
      nodes[from.parent].inclusive += nodes[i].inclusive;
      nodes[from.parent].children.push_back(&nodes[i]);
    }
  }
  return nodes;
}

/// The nodes of one name at one place, on each side. Names become equal by grouping only.
struct Place {
  std::vector<const SideNode*> a;
  std::vector<const SideNode*> b;
};
using Places = std::map<std::string, Place>;
using Nodes = std::vector<const SideNode*> Place::*;

/// The union of two call trees, and the functions in it.
class Union {
 public:
  Union(const SideNode& a, const SideNode& b) {
    nodes_.push_back({0, a.name, {}, {}, {}});
    merge(0, {{&a}, {&b}});
  }

  /// Sums up, sorts, and moves everything into `difference`.
  void finish(Difference& difference) &&;

 private:
  void merge(std::uint32_t node, const Place& place);
  void add_leaf(std::uint32_t parent, const std::string& name, const Place& place);
  void skip_inlined(std::uint32_t parent, Places& places, Nodes here, Nodes there);
  void add_self(std::uint32_t node, const Place& place);
  void add_inclusive();
  void add_functions(Difference& difference) const;
  bool stands_below_itself(std::uint32_t node) const;

  std::vector<DifferenceNode> nodes_;
};

void Union::add_self(std::uint32_t node, const Place& place) {
  for (const SideNode* from : place.a) {
    nodes_[node].self.a += from->self;
    nodes_[node].calls.a += from->calls;
  }
  for (const SideNode* from : place.b) {
    nodes_[node].self.b += from->self;
    nodes_[node].calls.b += from->calls;
  }
}

void Union::add_leaf(std::uint32_t parent, const std::string& name, const Place& place) {
  nodes_.push_back({parent, name, {}, {}, {}});
  add_self(static_cast<std::uint32_t>(nodes_.size() - 1), place);
}

const SideNode* heaviest_child(const std::vector<const SideNode*>& nodes) {
  const SideNode* heaviest = nullptr;
  for (const SideNode* node : nodes) {
    for (const SideNode* child : node->children) {
      if (heaviest == nullptr || child->inclusive > heaviest->inclusive) {
        heaviest = child;
      }
    }
  }
  return heaviest;
}

/// A function that only one side calls, and most of which the other side calls from the same place
/// directly, is inlined there. It becomes a leaf, and what it calls stands beside it, so that the
/// same callee stands at the same place on both sides.
void Union::skip_inlined(std::uint32_t parent, Places& places, Nodes here, Nodes there) {
  for (bool again = true; again;) {
    again = false;
    for (auto& [name, place] : places) {
      const SideNode* most = heaviest_child(place.*here);
      if (most == nullptr || !(place.*there).empty()) {
        continue;
      }
      const auto other = places.find(most->name);
      if (other == places.end() || !(other->second.*here).empty()) {
        continue;
      }
      const Place skipped = std::exchange(place, Place{});
      add_leaf(parent, name, skipped);
      for (const SideNode* node : skipped.*here) {
        for (const SideNode* child : node->children) {
          (places[child->name].*here).push_back(child);
        }
      }
      again = true;
      break;
    }
  }
}

void Union::merge(std::uint32_t node, const Place& place) {
  add_self(node, place);
  Places places;
  for (const Nodes side : {&Place::a, &Place::b}) {
    for (const SideNode* from : place.*side) {
      for (const SideNode* child : from->children) {
        (places[child->name].*side).push_back(child);
      }
    }
  }
  skip_inlined(node, places, &Place::a, &Place::b);
  skip_inlined(node, places, &Place::b, &Place::a);
  for (const auto& [name, below] : places) {
    if (!below.a.empty() || !below.b.empty()) {
      nodes_.push_back({node, name, {}, {}, {}});
      merge(static_cast<std::uint32_t>(nodes_.size() - 1), below);
    }
  }
}

void Union::add_inclusive() {
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    nodes_[i].inclusive += nodes_[i].self;
    if (i != 0) {
      nodes_[nodes_[i].parent].inclusive += nodes_[i].inclusive;
    }
  }
}

/// Is the node's function among its callers? Then a sum over the function has it already.
bool Union::stands_below_itself(std::uint32_t node) const {
  for (std::uint32_t up = nodes_[node].parent; up != 0; up = nodes_[up].parent) {
    if (nodes_[up].name == nodes_[node].name) {
      return true;
    }
  }
  return false;
}

Sides sides_of(const Pair& inclusive) {
  if (inclusive.a == 0) {
    return Sides::kOnlyB;
  }
  return inclusive.b == 0 ? Sides::kOnlyA : Sides::kBoth;
}

void Union::add_functions(Difference& difference) const {
  std::map<std::string, FunctionRow> rows;
  for (std::uint32_t i = 1; i < nodes_.size(); ++i) {
    FunctionRow& row = rows[nodes_[i].name];
    row.self += nodes_[i].self;
    if (!stands_below_itself(i)) {
      row.inclusive += nodes_[i].inclusive;
    }
  }
  for (auto& [name, row] : rows) {
    row.name = name;
    row.sides = sides_of(row.self);
    difference.total += row.self;
    if (name == kUserSpace) {
      difference.user = row.self;
    }
    difference.functions.push_back(std::move(row));
  }
  std::stable_sort(difference.functions.begin(), difference.functions.end(),
                   [](const FunctionRow& left, const FunctionRow& right) {
                     return std::abs(left.self.change()) > std::abs(right.self.change());
                   });
}

void Union::finish(Difference& difference) && {
  add_inclusive();
  add_functions(difference);
  difference.nodes = std::move(nodes_);
}

std::vector<std::string> all_names(const Profile& a, const Profile& b) {
  std::vector<std::string> names = a.functions;
  names.insert(names.end(), b.functions.begin(), b.functions.end());
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

Difference subtract_phase(const Profile& a, const PhaseProfile& of_a, const Profile& b,
                          const PhaseProfile& of_b, Names names) {
  Difference difference{a.subject, b.subject, of_a.name, of_a.noun, 1, {}, {}, {}, {}};
  const bool equal = of_a.operations == of_b.operations;
  difference.divisor = times(of_a.operations, equal ? 1 : of_b.operations);
  const std::vector<std::string> known = all_names(a, b);
  const auto name_of = [&](const std::string& name) {
    return names == Names::kGrouped ? grouped_name(name, known) : name;
  };
  const std::vector<SideNode> tree_a = side_tree(a, of_a, equal ? 1 : of_b.operations, name_of);
  const std::vector<SideNode> tree_b = side_tree(b, of_b, equal ? 1 : of_a.operations, name_of);
  Union both(tree_a.front(), tree_b.front());
  std::move(both).finish(difference);
  return difference;
}

}  // namespace

std::vector<Difference> subtract(const Profile& a, const Profile& b, Names names) {
  if (a.subject.workload != b.subject.workload || a.subject.parameters != b.subject.parameters) {
    refuse(fmt::format("A is {} {}, B is {} {}", a.subject.workload, a.subject.parameters,
                       b.subject.workload, b.subject.parameters),
           "give two profiles of one workload with the same parameters");
  }
  std::vector<Difference> differences;
  for (const PhaseProfile& of_a : a.phases) {
    const auto of_b =
        std::find_if(b.phases.begin(), b.phases.end(), [&](const PhaseProfile& phase) {
          return phase.name == of_a.name && phase.noun == of_a.noun;
        });
    if (of_b != b.phases.end()) {
      differences.push_back(subtract_phase(a, of_a, b, *of_b, names));
    }
  }
  if (differences.empty()) {
    refuse("the two profiles share no phase", "give two profiles of one version of msgring");
  }
  return differences;
}

}  // namespace msgring::profile
