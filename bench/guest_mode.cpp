// SPDX-License-Identifier: MIT
#include "guest_mode.hpp"

#include <string>

#include "measure.hpp"
#include "msgring/boot/guest.hpp"
#include "msgring/error.hpp"
#include "options.hpp"

namespace msgring::bench {
namespace {

std::string measure_for(boot::Guest& guest) {
  const BenchOptions options = parse_options(guest.arguments());
  if (options.task != Task::kMeasure) {
    throw Error(ExitStatus::kUsage, "a guest can only measure",
                "leave out --describe, --smoke and the like");
  }
  const Measurement measurement = measure(options, [&guest](MeasurePhase phase) {
    guest.status(phase == MeasurePhase::kSettled ? boot::GuestPhase::kSettled
                                                 : boot::GuestPhase::kDone);
  });
  if (measurement.status != ExitStatus::kOk) {
    throw Error(measurement.status, measurement.summary);
  }
  return measurement.point;
}

}  // namespace

void measure_as_guest() { boot::run_guest(measure_for); }

}  // namespace msgring::bench
