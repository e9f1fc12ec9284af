// SPDX-License-Identifier: MIT
#include "cli/trace_boot.hpp"

#include "msgring/host/temporary_folder.hpp"

namespace msgring::cli {

std::vector<trace::Trace> trace_boots(const std::vector<BootTarget>& targets,
                                      const trace::TraceJob& job, const std::string& qemu,
                                      const std::stop_token& stop) {
  return side_by_side(targets, [&](const BootTarget& target) {
    const host::TemporaryFolder folder("msgring-trace");
    GuestBoot guest;
    guest.target = target;
    guest.program = program_beside("msgring_trace_guest");
    guest.arguments = trace::job_words(job);
    guest.qemu = qemu;
    guest.scratch = folder.path();
    return trace::parse_trace(run_guest_boot(guest, stop).point_text, target.kernel.release);
  });
}

}  // namespace msgring::cli
