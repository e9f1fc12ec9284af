// SPDX-License-Identifier: MIT
// The user space of a boot whose kernel is traced: one job, its trace as the result.
#include <cstdio>
#include <string>

#include "msgring/boot/guest.hpp"
#include "msgring/trace/job.hpp"

namespace {

std::string trace_for(msgring::boot::Guest& guest) {
  guest.status(msgring::boot::GuestPhase::kSettled);
  const msgring::trace::Trace trace =
      msgring::trace::run_job(msgring::trace::parse_job(guest.arguments()));
  guest.status(msgring::boot::GuestPhase::kDone);
  return msgring::trace::trace_json(trace);
}

}  // namespace

int main() {
  if (!msgring::boot::is_guest_init()) {
    static_cast<void>(std::fputs(
        "msgring_trace_guest: error: this is the user space of a guest; use msgring trace\n",
        stderr));
    return 2;
  }
  msgring::boot::run_guest(trace_for);
}
