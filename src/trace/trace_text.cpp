// SPDX-License-Identifier: MIT
// The trace for a person: one kernel, or two beside each other.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "msgring/trace/trace.hpp"

namespace msgring::trace {
namespace {

constexpr std::size_t kColumns = 76;
constexpr std::size_t kSites = 8;

std::string fitted(std::string_view text, std::size_t columns) {
  return text.size() <= columns ? std::string(text)
                                : std::string(text.substr(0, columns - 1)) + "~";
}

/// A reason as lines of at most kColumns, broken at spaces.
std::string wrapped(std::string_view text) {
  std::string lines = "-";
  std::size_t column = 1;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    const bool fits = column + 1 + word.size() <= kColumns;
    lines += fits ? " " : "\n  ";
    lines += word;
    column = (fits ? column + 1 : 2) + word.size();
  }
  return lines + "\n";
}

std::string head(const Trace& trace) {
  return fmt::format("What the kernel did in one untimed round\n{} {}\n", trace.workload,
                     trace.parameters);
}

double share(std::uint64_t count, const PhaseTrace& phase) {
  return phase.operations == 0 ? 0.0
                               : static_cast<double>(count) / static_cast<double>(phase.operations);
}

std::string row(std::uint64_t count, const PhaseTrace& phase, std::size_t indent,
                std::string_view name) {
  return fmt::format("{:>10} {:>10.3f}   {}{}\n", count, share(count, phase),
                     std::string(indent, ' '), fitted(name, kColumns - 24 - indent));
}

std::string phase_head(const PhaseTrace& phase, std::string_view what) {
  return fmt::format("\n{} in phase {}, {} {}s\n{:>10} {:>10}\n", what, phase.name,
                     phase.operations, phase.noun, "count", "each");
}

/// Nodes that were taken from the kernel's cache: those that nothing was allocated for.
std::string cache_line(const PhaseTrace& phase) {
  const std::uint64_t nodes = phase.calls_of("io_rsrc_node_alloc");
  const std::uint64_t fresh = phase.calls_inside("io_cache_alloc_new", "io_rsrc_node_alloc");
  return nodes == 0 ? ""
                    : fmt::format("nodes: {} fresh, {} from the cache (inferred)\n", fresh,
                                  nodes - std::min(nodes, fresh));
}

std::string calls_text(const PhaseTrace& phase) {
  std::string text = phase_head(phase, "Calls");
  for (const CallCount& count : phase.calls) {
    text += row(count.calls, phase, 2 * (count.chain.size() - 1), count.chain.back());
  }
  return text + cache_line(phase);
}

std::uint64_t total_of(const PhaseTrace& phase, MemoryEvent event) {
  std::uint64_t sum = 0;
  for (const SiteCount& site : phase.sites) {
    sum += site.event == event ? site.count : 0;
  }
  return sum;
}

std::string sites_text(const PhaseTrace& phase) {
  std::string text = phase_head(phase, "Slab memory");
  for (const MemoryEvent event : {MemoryEvent::kAllocation, MemoryEvent::kFree}) {
    text += row(total_of(phase, event), phase, 0,
                event == MemoryEvent::kAllocation ? "allocations" : "frees");
    std::size_t shown = 0;
    for (const SiteCount& site : phase.sites) {
      if (site.event == event && shown++ < kSites) {
        text += row(site.count, phase, 2, site.site);
      }
    }
    if (shown > kSites) {
      text += fmt::format("{:>24}  {} other sites\n", "", shown - kSites);
    }
  }
  return text;
}

std::string reasons_text(const Trace& trace) {
  std::string text;
  for (const std::string& reason : trace.reasons) {
    text += wrapped(reason);
  }
  if (!trace.absent.empty()) {
    text += wrapped(
        fmt::format("absent or inlined in {}: {}", trace.release, fmt::join(trace.absent, ", ")));
  }
  return text;
}

/// Every (function, directly enclosing function) of both sides, in the order of their appearance.
std::vector<std::pair<std::string, std::string>> nestings(const PhaseTrace& a,
                                                          const PhaseTrace& b) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const PhaseTrace* phase : {&b, &a}) {
    for (const CallCount& count : phase->calls) {
      const std::size_t depth = count.chain.size();
      const std::pair nesting{count.chain.back(), depth > 1 ? count.chain[depth - 2] : ""};
      if (std::find(all.begin(), all.end(), nesting) == all.end()) {
        all.push_back(nesting);
      }
    }
  }
  return all;
}

std::uint64_t count_of(const PhaseTrace& phase, const std::string& function,
                       const std::string& outer) {
  return outer.empty() ? phase.calls_of(function) : phase.calls_inside(function, outer);
}

std::string compared_calls(const PhaseTrace& a, const PhaseTrace& b) {
  std::string text;
  for (const auto& [function, outer] : nestings(a, b)) {
    const std::uint64_t of_a = count_of(a, function, outer);
    const std::uint64_t of_b = count_of(b, function, outer);
    const std::string name = outer.empty() ? function : fmt::format("{} in {}", function, outer);
    text += fmt::format("{:>10.3f} {:>10.3f}   {}\n", share(of_a, a), share(of_b, b),
                        fitted(name, kColumns - 24));
  }
  return text;
}

/// "128 installs: x nested in y 0 -> 128" for everything whose count changed.
std::string changes_text(const PhaseTrace& a, const PhaseTrace& b) {
  std::string text;
  for (const auto& [function, outer] : nestings(a, b)) {
    const std::uint64_t of_a = count_of(a, function, outer);
    const std::uint64_t of_b = count_of(b, function, outer);
    if (of_a != of_b && a.operations == b.operations) {
      text += fmt::format("{} {}s: {}{} {} -> {}\n", a.operations, a.noun, function,
                          outer.empty() ? "" : " nested in " + outer, of_a, of_b);
    }
  }
  const std::uint64_t allocations_a = total_of(a, MemoryEvent::kAllocation);
  const std::uint64_t allocations_b = total_of(b, MemoryEvent::kAllocation);
  if (allocations_a != allocations_b && a.operations == b.operations) {
    text += fmt::format("{} {}s: slab allocations {} -> {}\n", a.operations, a.noun, allocations_a,
                        allocations_b);
  }
  return text;
}

std::string compared_phase(const Trace& a, const Trace& b, std::size_t index) {
  const PhaseTrace& of_a = a.phases[index];
  const PhaseTrace& of_b = b.phases[index];
  std::string text =
      fmt::format("\nPhase {}: per {}\n{:>10} {:>10}\n", of_a.name, of_a.noun, "A", "B");
  if (a.has_calls && b.has_calls) {
    text += compared_calls(of_a, of_b);
  }
  if (a.has_sites && b.has_sites) {
    for (const MemoryEvent event : {MemoryEvent::kAllocation, MemoryEvent::kFree}) {
      text += fmt::format("{:>10.3f} {:>10.3f}   {}\n", share(total_of(of_a, event), of_a),
                          share(total_of(of_b, event), of_b),
                          event == MemoryEvent::kAllocation ? "slab allocations" : "slab frees");
    }
  }
  return text + changes_text(of_a, of_b);
}

}  // namespace

std::string trace_text(const Trace& trace) {
  std::string text = head(trace) + fmt::format("kernel  {}\n", trace.release);
  for (const PhaseTrace& phase : trace.phases) {
    text += trace.has_calls ? calls_text(phase) : "";
    text += trace.has_sites ? sites_text(phase) : "";
  }
  const std::string reasons = reasons_text(trace);
  return reasons.empty() ? text : text + "\n" + reasons;
}

std::string comparison_text(const Trace& a, const Trace& b) {
  std::string text = head(a) + fmt::format("A  {}\nB  {}\n", a.release, b.release);
  for (std::size_t i = 0; i < std::min(a.phases.size(), b.phases.size()); ++i) {
    text += compared_phase(a, b, i);
  }
  std::string reasons = reasons_text(a);
  const std::string more = reasons_text(b);
  reasons += more == reasons ? "" : more;
  return reasons.empty() ? text : text + "\n" + reasons;
}

std::string comparison_brief(const Trace& a, const Trace& b) {
  std::string text = fmt::format("{} {}, one untimed round\n", a.workload, a.parameters);
  for (std::size_t i = 0; i < std::min(a.phases.size(), b.phases.size()); ++i) {
    const std::string changes = changes_text(a.phases[i], b.phases[i]);
    text += fmt::format("Phase {}{}\n{}", a.phases[i].name,
                        changes.empty() ? ": the same calls and allocations" : "", changes);
  }
  return text;
}

}  // namespace msgring::trace
