// SPDX-License-Identifier: MIT
// Reading of tracefs (Documentation/trace/ftrace.rst): tracer, events and hooked functions.
#include "tracing_state.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "msgring/error.hpp"
#include "parse.hpp"

namespace msgring::host {
namespace {

/// The text of a tracefs file; one that exists and cannot be read is entered in `unseen` as `what`.
std::string look_at(const Root& root, const std::string& path, const std::string& what,
                    TracingState& state) {
  TextFile file = read_attribute(root.path(path));
  if (file.state == FileState::kUnreadable) {
    state.unseen.push_back(fmt::format("{} ({})", what, errno_name(file.error)));
  }
  return std::move(file.text);
}

/// Enters what is on in one instance; `where` is empty for the top level.
void inspect_instance(const Root& root, const std::string& folder, const std::string& where,
                      TracingState& state) {
  const std::string tracer =
      look_at(root, folder + "/current_tracer", fmt::format("tracer{}", where), state);
  if (!tracer.empty() && tracer != "nop") {
    state.active.push_back(fmt::format("tracer {}{}", tracer, where));
  }
  // "0" none, "1" all, "X" some, "?" not to be told.
  const std::string events =
      look_at(root, folder + "/events/enable", fmt::format("events{}", where), state);
  if (events == "1" || events == "X") {
    state.active.push_back(fmt::format("{} events{}", events == "1" ? "all" : "some", where));
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
      return {FileState::kUnreadable, errno_name(tracer.error), {}, {}};
    }
    TracingState state{FileState::kRead, {}, {}, {}};
    inspect_instance(root, folder, "", state);
    for (const std::string& name : list_folder(root.path(folder + "/instances")).names) {
      inspect_instance(root, fmt::format("{}/instances/{}", folder, name),
                       fmt::format(" in instance {}", name), state);
    }
    const std::string hooked =
        look_at(root, folder + "/enabled_functions", "hooked functions", state);
    if (const std::size_t count = lines_of(hooked).size(); count > 0) {
      state.active.push_back(fmt::format("{} hooked function{}", count, count == 1 ? "" : "s"));
    }
    return state;
  }
  return {FileState::kAbsent, "tracefs is not mounted", {}, {}};
}

std::string text_of(const TracingState& state) {
  if (state.state != FileState::kRead) {
    return text_of(Answer{state.state, state.why});
  }
  const std::string active =
      state.active.empty() ? "off" : fmt::format("{}", fmt::join(state.active, "; "));
  return state.unseen.empty()
             ? active
             : fmt::format("{}; unknown: {}", active, fmt::join(state.unseen, ", "));
}

}  // namespace msgring::host
