// SPDX-License-Identifier: MIT
#include "msgring/profile/fold.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "msgring/error.hpp"
#include "profile/raw_profile.hpp"

namespace msgring::profile {
namespace {

constexpr std::uint64_t kKernelHalf = 0xFFFF'8000'0000'0000;
constexpr std::string_view kUnknown = "[unknown]";

[[noreturn]] void refuse(const std::string& what, std::string hint) {
  throw Error(ExitStatus::kInvalid, what, std::move(hint));
}

/// A jump through a register, as the kernel does it under a speculation mitigation.
bool is_thunk(std::string_view function) {
  return function.substr(0, 22) == "__x86_indirect_thunk_r" ||
         function == "__x86_indirect_thunk_array" || function == "__x86_indirect_its_thunk_array" ||
         function == "__x86_return_thunk";
}

/// Turns one raw profile into nodes by function.
class Folder {
 public:
  Folder(const RawProfile& raw, const SymbolTable& symbols) : raw_(raw), symbols_(symbols) {}

  Profile fold(const Subject& subject, const std::vector<PhaseFacts>& facts);

 private:
  /// Where a raw node's own code belongs, and where what it calls belongs.
  struct Place {
    std::size_t phase = 0;
    std::uint32_t node = 0;
    std::uint32_t below = 0;
  };

  std::uint32_t function(std::string_view name);
  std::uint32_t function_at(std::uint64_t address);
  std::uint32_t child(std::size_t phase, std::uint32_t parent, std::uint32_t function);
  void place_roots(const Subject& subject, const std::vector<PhaseFacts>& facts);
  void place_nodes();
  Place place(const TreeNode& raw);
  void add_counts();

  const RawProfile& raw_;
  const SymbolTable& symbols_;
  Profile profile_;
  std::map<std::string, std::uint32_t, std::less<>> functions_;
  std::map<const Symbol*, std::uint32_t> by_symbol_;
  std::map<std::tuple<std::size_t, std::uint32_t, std::uint32_t>, std::uint32_t> children_;
  std::vector<Place> places_;
};

std::uint32_t Folder::function(std::string_view name) {
  const auto found = functions_.find(name);
  if (found != functions_.end()) {
    return found->second;
  }
  const auto index = static_cast<std::uint32_t>(profile_.functions.size());
  profile_.functions.emplace_back(name);
  functions_.emplace(name, index);
  return index;
}

std::uint32_t Folder::function_at(std::uint64_t address) {
  if (address < kKernelHalf) {
    return function(kUserSpace);
  }
  const Symbol* symbol = symbols_.find(address);
  const auto [found, added] = by_symbol_.try_emplace(symbol, 0);
  if (added) {
    found->second = function(symbol != nullptr ? std::string_view(symbol->name) : kUnknown);
  }
  return found->second;
}

std::uint32_t Folder::child(std::size_t phase, std::uint32_t parent, std::uint32_t function) {
  std::vector<Node>& nodes = profile_.phases[phase].nodes;
  const auto next = static_cast<std::uint32_t>(nodes.size());
  const auto [found, added] = children_.try_emplace({phase, parent, function}, next);
  if (added) {
    nodes.push_back({parent, function, 0, 0});
  }
  return found->second;
}

void Folder::place_roots(const Subject& subject, const std::vector<PhaseFacts>& facts) {
  places_.resize(raw_.nodes.size());
  for (const RawPhase& phase : raw_.phases) {
    if (phase.number >= facts.size() || phase.root >= raw_.nodes.size()) {
      refuse(fmt::format("raw profile: phase {} is none of {}'s", phase.number, subject.workload),
             "profile one workload at a time");
    }
    const PhaseFacts& fact = facts[phase.number];
    if (phase.rounds != subject.rounds * fact.stretches) {
      refuse(fmt::format("raw profile: {} of {} rounds of phase {} were counted",
                         phase.rounds / fact.stretches, subject.rounds, fact.name),
             "the guest ended early; see its console");
    }
    places_[phase.root].phase = profile_.phases.size();
    profile_.phases.push_back({fact.name, fact.noun, fact.operations, fact.clock_instructions, {}});
    profile_.phases.back().nodes.push_back({0, function(fact.name), phase.rounds, 0});
  }
  if (profile_.phases.size() != facts.size()) {
    refuse(fmt::format("raw profile: {} of {} phases have marks", profile_.phases.size(),
                       facts.size()),
           "the benchmark in the guest and this program must be of one build");
  }
}

Folder::Place Folder::place(const TreeNode& raw) {
  const Place& parent = places_[raw.parent];
  const std::uint32_t own = function_at(raw.entry);
  const std::vector<Node>& nodes = profile_.phases[parent.phase].nodes;
  const std::uint32_t above = nodes[parent.below].function;
  const bool jumped = raw.entered == Entered::kTailCall;
  // A jump inside the function, or into the middle of another one: a part of it.
  const bool part =
      jumped && (own == nodes[parent.node].function || !symbols_.begins_at(raw.entry));
  if (part) {
    return parent;
  }
  if (own == above && own == function(kUserSpace)) {
    return {parent.phase, parent.below, parent.below};
  }
  Place place{parent.phase, child(parent.phase, parent.below, own), 0};
  profile_.phases[place.phase].nodes[place.node].calls += raw.calls;
  place.below = is_thunk(profile_.functions[own]) ? parent.below : place.node;
  return place;
}

void Folder::place_nodes() {
  for (std::size_t i = 0; i < raw_.nodes.size(); ++i) {
    if (raw_.nodes[i].entered != Entered::kRoot) {
      places_[i] = place(raw_.nodes[i]);
    }
  }
}

void Folder::add_counts() {
  std::map<std::pair<std::size_t, std::uint32_t>, std::int64_t> sums;
  for (const RawCount& count : raw_.counts) {
    const Place& place = places_[count.node];
    const RawBlock& block = raw_.blocks[count.block];
    std::uint64_t address = block.start;
    for (std::uint32_t i = 0; i < count.first + count.count; ++i) {
      if (i >= count.first) {
        const std::uint32_t own = function_at(address);
        const bool here = profile_.phases[place.phase].nodes[place.node].function == own;
        const std::uint32_t node = here ? place.node : child(place.phase, place.node, own);
        sums[{place.phase, node}] += count.times;
      }
      address += block.lengths[i];
    }
  }
  for (const auto& [where, sum] : sums) {
    if (sum < 0) {
      refuse("raw profile: a function with fewer than no instructions", "profile again");
    }
    profile_.phases[where.first].nodes[where.second].self = static_cast<std::uint64_t>(sum);
  }
}

Profile Folder::fold(const Subject& subject, const std::vector<PhaseFacts>& facts) {
  profile_.subject = subject;
  place_roots(subject, facts);
  place_nodes();
  add_counts();
  return std::move(profile_);
}

/// Called addresses are where functions begin, if the table is the kernel's own.
void check_symbols(const RawProfile& raw, const SymbolTable& symbols) {
  std::set<std::uint64_t> called;
  for (const TreeNode& node : raw.nodes) {
    if (node.entered == Entered::kCall && node.entry >= kKernelHalf) {
      called.insert(node.entry);
    }
  }
  const auto known = std::count_if(called.begin(), called.end(), [&](std::uint64_t address) {
    return symbols.begins_at(address);
  });
  if (static_cast<double>(known) < 0.9 * static_cast<double>(called.size())) {
    refuse(fmt::format("symbol table: not of the kernel that ran: only {} of {} called addresses "
                       "begin a function",
                       known, called.size()),
           "use /proc/kallsyms of the same boot, with nokaslr");
  }
}

}  // namespace

Profile fold(std::string_view raw_profile, const SymbolTable& symbols, const Subject& subject,
             const std::vector<PhaseFacts>& phases) {
  const RawProfile raw = parse_raw_profile(raw_profile);
  if (!raw.troubles.empty()) {
    refuse("raw profile: " + raw.troubles.front(), "profile one workload at a time");
  }
  check_symbols(raw, symbols);
  return Folder(raw, symbols).fold(subject, phases);
}

}  // namespace msgring::profile
