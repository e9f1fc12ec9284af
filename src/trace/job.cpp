// SPDX-License-Identifier: MIT
#include "msgring/trace/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "msgring/error.hpp"
#include "msgring/host/cpus.hpp"
#include "msgring/host/limits.hpp"
#include "msgring/host/root.hpp"

namespace msgring::trace {
namespace {

std::string known_workloads() {
  std::string names;
  for (const workload::Entry& entry : workload::registry()) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", entry.name);
  }
  return names;
}

workload::Options shape_of(const TraceJob& job, const workload::Entry& entry) {
  workload::Options shape = entry.defaults;
  shape.slots = std::min(job.slots, entry.most_slots);
  shape.batch = job.batch;
  shape.operations = job.operations;
  shape.replicates = 1;
  return shape;
}

/// The sizes that shape the workload: "slots:128/batch:64".
std::string parameters_of(const workload::Options& shape, const workload::Entry& entry) {
  using workload::Parameter;
  const std::pair<Parameter, std::uint32_t> sizes[] = {{Parameter::kSlots, shape.slots},
                                                       {Parameter::kBatch, shape.batch},
                                                       {Parameter::kOperations, shape.operations},
                                                       {Parameter::kReplicates, shape.replicates}};
  std::string text;
  for (const auto& [parameter, value] : sizes) {
    if (workload::uses(entry, parameter)) {
      text += fmt::format("{}{}:{}", text.empty() ? "" : "/",
                          workload::option_name(parameter).substr(2), value);
    }
  }
  return text;
}

}  // namespace

std::vector<std::string> job_words(const TraceJob& job) {
  return {job.workload, std::to_string(job.slots), std::to_string(job.batch),
          std::to_string(job.operations)};
}

TraceJob parse_job(const std::vector<std::string>& words) {
  try {
    TraceJob job;
    job.workload = words.at(0);
    job.slots = static_cast<std::uint32_t>(std::stoul(words.at(1)));
    job.batch = static_cast<std::uint32_t>(std::stoul(words.at(2)));
    job.operations = static_cast<std::uint32_t>(std::stoul(words.at(3)));
    return job;
  } catch (const std::logic_error&) {
    throw Error(ExitStatus::kInvalid, "trace: the guest's words are no job",
                "msgring and msgring_trace_guest must be of one build");
  }
}

Trace run_job(const TraceJob& job) {
  TraceRequest request;
  request.entry = workload::find_workload(job.workload);
  if (request.entry == nullptr) {
    throw Error(ExitStatus::kUsage,
                fmt::format("--workload {}: there is no such workload", job.workload),
                "use one of " + known_workloads());
  }
  const host::CpuSets cpus = host::read_cpu_sets(request.root);
  if (job.cpu) {
    host::require_usable_cpu(cpus, *job.cpu);
  }
  request.cpu = job.cpu ? *job.cpu : host::choose_cpu(request.root, cpus);
  request.shape = shape_of(job, *request.entry);
  request.parameters = parameters_of(request.shape, *request.entry);
  host::raise_nofile(request.shape.slots);
  host::pin_this_thread(cpus, request.cpu);
  return trace_workload(request);
}

}  // namespace msgring::trace
