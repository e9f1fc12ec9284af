// SPDX-License-Identifier: MIT
#include "guest_mode.hpp"

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "measure.hpp"
#include "msgring/boot/guest.hpp"
#include "msgring/error.hpp"
#include "options.hpp"

namespace msgring::bench {
namespace {

/// Is it a line of /proc/kallsyms that a profile needs: code, or where the code ends? The padding
/// in front of functions (`__pfx_x`) has names of its own, and never runs.
bool is_wanted(std::string_view line) {
  const std::size_t type = line.find(' ') + 1;
  constexpr std::string_view kText = "tTwW";
  return type + 2 < line.size() &&
         (kText.find(line[type]) != std::string_view::npos || line.substr(type + 2) == "_etext") &&
         line.substr(type + 2, 6) != "__pfx_";
}

/// After the last round: reading them moves the memory that the rounds would be given.
void send_symbols(boot::Guest& guest) {
  std::ifstream file("/proc/kallsyms");
  std::string text;
  for (std::string line; std::getline(file, line);) {
    if (is_wanted(line)) {
      text += line;
      text += '\n';
    }
  }
  guest.send(boot::FrameKind::kKallsyms, text);
}

std::string measure_for(boot::Guest& guest) {
  std::vector<std::string> arguments = guest.arguments();
  const bool wants_symbols = !arguments.empty() && arguments.front() == boot::kSendSymbols;
  if (wants_symbols) {
    arguments.erase(arguments.begin());
  }
  const BenchOptions options = parse_options(arguments);
  if (options.task != Task::kMeasure) {
    throw Error(ExitStatus::kUsage, "a guest can only measure",
                "leave out --describe, --smoke and the like");
  }
  const Measurement measurement = measure(options, [&](MeasurePhase phase) {
    if (phase == MeasurePhase::kSettled) {
      guest.status(boot::GuestPhase::kSettled);
      return;
    }
    if (wants_symbols) {
      send_symbols(guest);
    }
    guest.status(boot::GuestPhase::kDone);
  });
  if (measurement.status != ExitStatus::kOk) {
    throw Error(measurement.status, measurement.summary);
  }
  return measurement.point;
}

}  // namespace

void measure_as_guest() { boot::run_guest(measure_for); }

}  // namespace msgring::bench
