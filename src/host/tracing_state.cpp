// SPDX-License-Identifier: MIT
// Reading of tracefs (Documentation/trace/ftrace.rst): tracer, events and hooked functions.
#include "tracing_state.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "msgring/error.hpp"
#include "parse.hpp"

namespace msgring::host {
namespace {

/// Appends what is on in one instance; `where` is empty for the top level.
void append_active(const Root& root, const std::string& folder, const std::string& where,
                   std::vector<std::string>& active) {
  const std::string tracer = read_attribute(root.path(folder + "/current_tracer")).text;
  if (!tracer.empty() && tracer != "nop") {
    active.push_back(fmt::format("tracer {}{}", tracer, where));
  }
  // "0" none, "1" all, "X" some, "?" unreadable.
  const std::string events = read_attribute(root.path(folder + "/events/enable")).text;
  if (events == "1" || events == "X") {
    active.push_back(fmt::format("{} events{}", events == "1" ? "all" : "some", where));
  }
}

}  // namespace

TracingState read_tracing_state(const Root& root) {
  for (const std::string folder : {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"}) {
    const TextFile tracer = read_text_file(root.path(folder + "/current_tracer"));
    if (tracer.state == FileState::kAbsent) {
      continue;  // the folder is there, empty, where tracefs is not mounted
    }
    if (tracer.state == FileState::kUnreadable) {
      return {FileState::kUnreadable, errno_name(tracer.error), {}};
    }
    TracingState state{FileState::kRead, {}, {}};
    append_active(root, folder, "", state.active);
    for (const std::string& name : list_folder(root.path(folder + "/instances")).names) {
      append_active(root, fmt::format("{}/instances/{}", folder, name),
                    fmt::format(" in instance {}", name), state.active);
    }
    const std::string hooked = read_text_file(root.path(folder + "/enabled_functions")).text;
    if (const std::size_t count = lines_of(hooked).size(); count > 0) {
      state.active.push_back(fmt::format("{} hooked function{}", count, count == 1 ? "" : "s"));
    }
    return state;
  }
  return {FileState::kAbsent, "tracefs is not mounted", {}};
}

std::string text_of(const TracingState& state) {
  if (state.state != FileState::kRead) {
    return text_of(Answer{state.state, state.why});
  }
  return state.active.empty() ? "off" : fmt::format("{}", fmt::join(state.active, "; "));
}

}  // namespace msgring::host
