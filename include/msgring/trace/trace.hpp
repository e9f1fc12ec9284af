// SPDX-License-Identifier: MIT
// Trace: which kernel functions a workload calls how often, counted by the kernel's own tracing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "msgring/host/root.hpp"
#include "msgring/workload/workload.hpp"

namespace msgring::trace {

/// Calls of one function along one chain of traced functions.
struct CallCount {
  std::vector<std::string> chain;  ///< outermost first, the function itself last
  std::uint64_t calls = 0;
};

enum class MemoryEvent { kAllocation, kFree };

/// Allocations or frees of slab memory by the function that asked for them.
struct SiteCount {
  MemoryEvent event = MemoryEvent::kAllocation;
  std::string site;  ///< function, or a hexadecimal address where the kernel hides names
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;  ///< allocated; 0 for frees
};

/// What happened between a phase's two clock readings.
struct PhaseTrace {
  std::string name;  ///< "fill"
  std::string noun;  ///< "install"
  std::uint64_t operations = 0;
  std::vector<CallCount> calls;  ///< in the order of their first call
  std::vector<SiteCount> sites;  ///< the most frequent first

  /// Calls of `function`, wherever from.
  std::uint64_t calls_of(std::string_view function) const;
  /// Calls of `function` below `outer`, directly or not.
  std::uint64_t calls_inside(std::string_view function, std::string_view outer) const;
};

/// One traced round of a workload (two, where both ways work: each has a round of its own).
struct Trace {
  std::string release;
  std::string workload;
  std::string parameters;
  bool has_calls = false;            ///< function_graph worked
  bool has_sites = false;            ///< kmem tracepoints worked
  std::vector<std::string> reasons;  ///< what could not be used and why, and what was used instead
  std::vector<std::string> absent;   ///< functions that this kernel has not, or has inlined
  std::vector<PhaseTrace> phases;
};

/// What to trace, and where. `root` is where /sys and /proc stand.
struct TraceRequest {
  const workload::Entry* entry = nullptr;
  workload::Options shape;  ///< its clock is replaced by the one that the kernel's events carry
  std::string parameters;   ///< for people: "slots:128/batch:64"
  int cpu = 0;              ///< the calling thread is pinned to it
  host::Root root;
  std::uint32_t buffer_kib = 16 * 1024;  ///< of the trace; an event takes some 50 bytes
};

/// Runs untimed rounds of the workload under the kernel's tracing, in a private instance and for
/// the calling thread alone. Where tracefs is not mounted and may be, it is mounted for this
/// process only (mount_namespaces(7)).
///
/// Throws Error (kEnvironment) when neither way works, with every reason; Error (kInvalid) when the
/// kernel lost an event, since a smaller count would be wrong, or when a check of the round failed.
Trace trace_workload(const TraceRequest& request);

/// JSON, and back. Throws Error (kInvalid) for what trace_json() does not write.
std::string trace_json(const Trace& trace);
Trace parse_trace(std::string_view text, const std::string& source);

/// For a person, at most 76 columns.
std::string trace_text(const Trace& trace);

/// Two kernels beside each other: calls and allocations per operation, and one line for each nested
/// function whose count changed.
std::string comparison_text(const Trace& a, const Trace& b);

/// The same in brief: only what changed, or that nothing did.
std::string comparison_brief(const Trace& a, const Trace& b);

}  // namespace msgring::trace
