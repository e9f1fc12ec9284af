// SPDX-License-Identifier: MIT
#include "machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <system_error>

#include "msgring/error.hpp"
#include "msgring/host/io_uring_access.hpp"
#include "msgring/host/root.hpp"
#include "msgring/host/tsc.hpp"
#include "msgring/uring/send_fd_trial.hpp"
#include "plan.hpp"

namespace msgring::bench {
namespace {

constexpr std::uint64_t kRingEntries = 256;

/// What exists at the same time in a round: a source ring and its targets.
std::vector<host::RingSize> rings_of(const Planned& planned) {
  const workload::Options& shape = planned.shape;
  const std::uint64_t batch = std::bit_ceil(std::uint64_t{shape.batch});
  const std::uint64_t source = std::max(kRingEntries, batch);
  const bool pairs = uses(*planned.entry, workload::Parameter::kReplicates);
  std::vector<host::RingSize> rings(pairs ? std::size_t{2} * shape.replicates : 1,
                                    {kRingEntries, std::max(2 * kRingEntries, batch)});
  rings.push_back({source, 2 * source});
  return rings;
}

/// What the round with the most ring memory needs.
host::MemlockNeed most_memlock(const std::vector<Planned>& plan) {
  host::MemlockNeed most{};
  for (const Planned& planned : plan) {
    const host::MemlockNeed need = host::memlock_need(rings_of(planned));
    most = need.needed_bytes >= most.needed_bytes ? need : most;
  }
  return most;
}

/// Is io_uring there at all? Then, separately: does it know the flags that were asked for?
void demand_io_uring(const BenchOptions& options) {
  try {
    uring::try_setup({}, "io_uring");
  } catch (const std::system_error& error) {
    throw host::explain_io_uring_setup(error.code().value(), host::Root());
  }
  const auto demand_profile = [](std::string_view option,
                                 std::optional<workload::RingProfile> asked) {
    const workload::RingProfile profile = asked.value_or(workload::RingProfile::kDefault);
    try {
      uring::try_setup({8, 0, workload::setup_flags(profile)}, std::string(option));
    } catch (const std::system_error& error) {
      throw Error(ExitStatus::kEnvironment,
                  fmt::format("{} {}: the kernel refuses these set-up flags: {}", option,
                              workload::profile_text(profile), errno_name(error.code().value())),
                  "single_issuer needs Linux 6.0, defer_taskrun 6.1; liburing's headers know flags "
                  "that the running kernel may not");
    }
  };
  demand_profile("--source-setup", options.source_profile);
  demand_profile("--target-setup", options.target_profile);
}

void demand_clock(const BenchOptions& options) {
  if (options.clock != host::ClockKind::kTsc) {
    return;
  }
  const host::TscTrial trial = host::try_tsc();
  if (!trial.counts_instructions) {
    throw Error(
        ExitStatus::kEnvironment,
        "--clock tsc: the time-stamp counter does not count instructions here: " + trial.evidence,
        "use it under qemu-system-x86_64 -accel tcg -icount shift=0, elsewhere "
        "--clock monotonic_raw");
  }
}

}  // namespace

std::uint64_t descriptors_needed(const BenchOptions& options) {
  std::uint64_t most = 0;
  for (const Planned& planned : plan_of(options)) {
    most = std::max(
        {most, std::uint64_t{planned.shape.slots}, std::uint64_t{rings_of(planned).size()}});
  }
  return most;
}

Machine inspect_machine(const BenchOptions& options) {
  const host::Root root;
  Machine machine;
  machine.cpus = host::read_cpu_sets(root);
  if (options.cpu) {
    host::require_usable_cpu(machine.cpus, *options.cpu);
  }
  machine.cpu = options.cpu ? *options.cpu : host::choose_cpu(root, machine.cpus);
  machine.memlock = most_memlock(plan_of(options));
  machine.findings = host::diagnose_machine(root, machine.cpu);
  return machine;
}

host::NofileLimit prepare_machine(const BenchOptions& options, const Machine& machine) {
  demand_io_uring(options);
  demand_clock(options);
  const host::NofileLimit limit = host::raise_nofile(descriptors_needed(options));
  if (!machine.memlock.fits) {
    fmt::print(stderr, "msgring_bench: warning: {}\n", machine.memlock.text);
  }
  host::pin_this_thread(machine.cpus, machine.cpu);
  return limit;
}

}  // namespace msgring::bench
