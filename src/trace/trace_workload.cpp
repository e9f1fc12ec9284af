// SPDX-License-Identifier: MIT
// Tracing one round by function_graph, and one by the kmem tracepoints.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <sstream>
#include <system_error>

#include "msgring/error.hpp"
#include "msgring/host/fd.hpp"
#include "msgring/host/file.hpp"
#include "msgring/trace/trace.hpp"
#include "msgring/workload/round.hpp"
#include "trace/counting.hpp"
#include "trace/events.hpp"
#include "trace/instance.hpp"
#include "trace/obstacle.hpp"
#include "trace/tracing_folder.hpp"

namespace msgring::trace {
namespace {

/// Raised where one way of tracing cannot be used; the other one may.
struct Unusable {
  std::string reason;
};

/// Writes a control file that this way of tracing needs.
void demand(Instance& instance, const host::Root& root, std::string_view way, const char* file,
            std::string_view text) {
  const int error = instance.write(file, text);
  if (error != 0) {
    throw Unusable{obstacle_text(way, obstacle_of(error, root),
                                 fmt::format("{}: {}", file, errno_name(error)))};
  }
}

Instance make_instance(const std::filesystem::path& folder, const TraceRequest& request) {
  try {
    return Instance(folder);
  } catch (const std::system_error& error) {
    throw Unusable{
        obstacle_text("tracing", obstacle_of(error.code().value(), request.root), error.what())};
  }
}

/// Off, with the clock that phases are timed by, and room for many events.
void prepare(Instance& instance, const TraceRequest& request, std::string_view way) {
  demand(instance, request.root, way, "tracing_on", "0");
  demand(instance, request.root, way, "trace_clock", "mono_raw");
  const std::string buffer = fmt::format("per_cpu/cpu{}/buffer_size_kb", request.cpu);
  demand(instance, request.root, way, buffer.c_str(), std::to_string(request.buffer_kib));
}

/// One round, recorded while it runs. Its phases, in the order of the workload's.
std::vector<workload::PhaseSample> run_round(Instance& instance, const TraceRequest& request) {
  workload::Options shape = request.shape;
  shape.clock = host::ClockKind::kMonotonicRaw;
  const std::unique_ptr<workload::Workload> workload = request.entry->make(shape);
  workload::Round round(*workload, request.cpu);
  const host::FileDescriptor on(tracefs_instance_file_open(instance.get(), "tracing_on", O_RDWR));
  tracefs_trace_on_fd(on.get());
  round.run();
  tracefs_trace_off_fd(on.get());
  const workload::RoundResult result = round.finish();
  if (!result.report.passed()) {
    throw Error(ExitStatus::kInvalid,
                fmt::format("trace: {}: {}", request.entry->name, result.report.summary()),
                "the counts of a round that failed say nothing");
  }
  return result.samples;
}

void keep_phases(Trace& trace, const TraceRequest& request,
                 const std::vector<workload::PhaseSample>& samples) {
  trace.phases.resize(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    trace.phases[i].name = request.entry->phases[i].name;
    trace.phases[i].noun = request.entry->phases[i].noun;
    trace.phases[i].operations = samples[i].operations;
  }
}

/// Filters on the functions that are there, and notes the others.
void filter_functions(Instance& instance, const TraceRequest& request, Trace& trace) {
  bool any = false;
  int error = 0;
  for (const std::string_view name : request.entry->kernel_functions) {
    const std::string function(name);
    // A compiler's clone (x.constprop.0) does the work of x.
    const int plain = instance.append("set_ftrace_filter", function + "\n");
    const int clone = plain == 0 ? 0 : instance.append("set_ftrace_filter", function + ".*\n");
    if (plain == 0 || clone == 0) {
      any = true;
    } else if (plain == EINVAL) {
      trace.absent.push_back(function);
    } else {
      error = plain;
    }
  }
  if (error != 0 || !any) {
    throw Unusable{error == 0
                       ? "function_graph: none of the functions is there"
                       : obstacle_text("function_graph", obstacle_of(error, request.root),
                                       fmt::format("set_ftrace_filter: {}", errno_name(error)))};
  }
}

bool lists(const std::string& tracers, std::string_view tracer) {
  std::istringstream words(tracers);
  return std::any_of(std::istream_iterator<std::string>(words), {},
                     [&](const std::string& word) { return word == tracer; });
}

void demand_tracer(const Instance& instance, std::string_view tracer) {
  if (lists(instance.read("available_tracers"), tracer)) {
    return;
  }
  const std::string everywhere =
      host::read_text_file(instance.tracing_folder() / "available_tracers").text;
  if (lists(everywhere, tracer)) {
    throw Unusable{
        fmt::format("{}: this kernel has it for the global trace buffer only, which "
                    "belongs to others",
                    tracer)};
  }
  throw Unusable{obstacle_text(tracer, Obstacle::kNotBuiltIn, "it is none of available_tracers")};
}

void trace_calls(Instance& instance, const TraceRequest& request, const FunctionNames& names,
                 Trace& trace) {
  constexpr std::string_view kWay = "function_graph";
  prepare(instance, request, kWay);
  demand_tracer(instance, kWay);
  filter_functions(instance, request, trace);
  demand(instance, request.root, kWay, "set_ftrace_pid", std::to_string(::gettid()));
  demand(instance, request.root, kWay, "current_tracer", kWay);
  const std::vector<workload::PhaseSample> samples = run_round(instance, request);
  const Events events = read_events(instance, request.cpu, names);
  keep_phases(trace, request, samples);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    trace.phases[i].calls = count_calls(events.calls, samples[i].begin, samples[i].end);
  }
  trace.has_calls = true;
}

void trace_sites(Instance& instance, const TraceRequest& request, const FunctionNames& names,
                 Trace& trace) {
  constexpr std::string_view kWay = "kmem tracepoints";
  prepare(instance, request, kWay);
  demand(instance, request.root, kWay, "set_event_pid", std::to_string(::gettid()));
  for (const char* event : {"kmalloc", "kmem_cache_alloc", "kfree", "kmem_cache_free"}) {
    const std::string file = fmt::format("events/kmem/{}/enable", event);
    demand(instance, request.root, kWay, file.c_str(), "1");
  }
  // Kernels before 6.1 have events of their own for allocations that name a node.
  instance.write("events/kmem/kmalloc_node/enable", "1");
  instance.write("events/kmem/kmem_cache_alloc_node/enable", "1");
  const std::vector<workload::PhaseSample> samples = run_round(instance, request);
  const Events events = read_events(instance, request.cpu, names);
  keep_phases(trace, request, samples);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    trace.phases[i].sites = count_sites(events.memory, samples[i].begin, samples[i].end);
  }
  trace.has_sites = true;
}

/// Tries one way of tracing in an instance of its own; notes why where it cannot be used.
template <class Way>
void attempt(Way way, const std::filesystem::path& folder, const TraceRequest& request,
             const FunctionNames& names, Trace& trace) {
  try {
    Instance instance = make_instance(folder, request);
    way(instance, request, names, trace);
  } catch (const Unusable& unusable) {
    const auto& known = trace.reasons;
    if (std::find(known.begin(), known.end(), unusable.reason) == known.end()) {
      trace.reasons.push_back(unusable.reason);
    }
  }
}

std::string joined(const std::vector<std::string>& reasons) {
  return fmt::format("{}", fmt::join(reasons, "; "));
}

}  // namespace

Trace trace_workload(const TraceRequest& request) {
  Trace trace;
  utsname kernel{};
  ::uname(&kernel);
  trace.release = kernel.release;
  trace.workload = request.entry->name;
  trace.parameters = request.parameters;
  const TracingFolder folder = find_tracing_folder(request.root);
  if (!folder.reason.empty()) {
    trace.reasons.push_back(folder.reason);
  }
  if (folder.path.empty()) {
    throw Error(ExitStatus::kEnvironment, folder.reason);
  }
  const FunctionNames names(request.root);
  attempt(trace_calls, folder.path, request, names, trace);
  attempt(trace_sites, folder.path, request, names, trace);
  if (!trace.has_calls && !trace.has_sites) {
    throw Error(ExitStatus::kEnvironment, joined(trace.reasons),
                "run as root where tracefs may be written, or use 'msgring trace --kernel'");
  }
  if (!trace.has_calls) {
    trace.reasons.emplace_back(
        "used instead: kmem tracepoints, allocations and frees by call site");
  }
  return trace;
}

}  // namespace msgring::trace
