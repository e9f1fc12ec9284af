// SPDX-License-Identifier: MIT
// memory.*, limits.*, virt.*, machine.*: what stands around the kernel and the CPU.
#include <fmt/format.h>
#include <unistd.h>

#include <set>

#include "answer.hpp"
#include "fact_groups.hpp"
#include "hypervisor.hpp"
#include "parse.hpp"
#include "process_status.hpp"

namespace msgring::host {
namespace {

constexpr std::string_view kDmiFolder = "/sys/class/dmi/id/";

/// "12345" of "12345 kB".
std::string kibibytes(const Root& root, std::string_view name) {
  const Answer answer = field(root, "/proc/meminfo", name);
  const auto words = words_of(answer.text);
  return has_value(answer) && !words.empty() ? std::string(words[0]) : text_of(answer);
}

std::string page_bytes(const Root& root) {
  return root.is_this_machine() ? fmt::format("{}", ::sysconf(_SC_PAGESIZE))
                                : text_of(unknown("only a system call tells"));
}

std::string hugepages(const Root& root) {
  const Answer count = field(root, "/proc/meminfo", "HugePages_Total");
  return has_value(count) ? fmt::format("{} of {}", count.text,
                                        text_of(field(root, "/proc/meminfo", "Hugepagesize")))
                          : text_of(count);
}

std::string swap(const Root& root) {
  const auto total = parse_number<std::uint64_t>(kibibytes(root, "SwapTotal"));
  const auto free = parse_number<std::uint64_t>(kibibytes(root, "SwapFree"));
  if (!total || !free) {
    return text_of(unknown("not in /proc/meminfo"));
  }
  return *total == 0 ? "none" : fmt::format("{} KiB, {} KiB used", *total, *total - *free);
}

std::string seccomp(const Root& root) {
  const ProcessStatus status = read_process_status(root);
  if (!status.seccomp) {
    return text_of(absent("no Seccomp in /proc/self/status"));
  }
  return *status.seccomp == 0   ? "no"
         : *status.seccomp == 2 ? "yes (filter)"
                                : fmt::format("yes (mode {})", *status.seccomp);
}

std::string dmi(const Root& root, std::string_view name) {
  return text_of(attribute(root, fmt::format("{}{}", kDmiFolder, name), "no DMI"));
}

/// The device tree's model where there is no DMI, as on most machines that are not x86.
std::string product(const Root& root) {
  const Answer model = attribute(root, "/sys/firmware/devicetree/base/model", "");
  return has_value(model) ? text_of(model) : dmi(root, "product_name");
}

/// "8 CPUs, 4 cores, 1 package" of those online; the machine's own shape, the same in every boot.
std::string topology(const Root& root, const CpuSets& sets) {
  std::set<CpuList> cores;
  std::set<std::string> packages;
  for (const int cpu : sets.online) {
    cores.insert(siblings_of(root, cpu));
    packages.insert(text_of(attribute(
        root, fmt::format("/sys/devices/system/cpu/cpu{}/topology/physical_package_id", cpu), "")));
  }
  if (cores.empty() || cores.contains(CpuList{})) {
    return text_of(absent("no topology in sysfs"));
  }
  return fmt::format("online CPUs {}, cores {}, packages {}", sets.online.size(), cores.size(),
                     packages.size());
}

}  // namespace

void append_memory_facts(const Root& root, Facts& facts) {
  const Answer huge =
      attribute(root, "/sys/kernel/mm/transparent_hugepage/enabled", "no transparent huge pages");
  facts.emplace_back("memory.total_kib", kibibytes(root, "MemTotal"));
  facts.emplace_back("memory.page_bytes", page_bytes(root));
  facts.emplace_back("memory.transparent_hugepages", text_of(chosen_word(huge, '[', ']')));
  facts.emplace_back("memory.hugepages", hugepages(root));
  facts.emplace_back("memory.numa_nodes", text_of(attribute(root, "/sys/devices/system/node/online",
                                                            "no NUMA in sysfs")));
  facts.emplace_back("memory.swap", swap(root));
}

void append_limit_facts(const Root& root, Facts& facts) {
  const ProcessLimit nofile = read_process_limit(root, "Max open files");
  const ProcessLimit memlock = read_process_limit(root, "Max locked memory");
  constexpr std::string_view kNoSysctl =
      "no such sysctl: before Linux 6.6, or io_uring not built in";
  facts.emplace_back("limits.nofile_soft", text_of(nofile.soft));
  facts.emplace_back("limits.nofile_hard", text_of(nofile.hard));
  facts.emplace_back("limits.memlock_soft", text_of(memlock.soft));
  facts.emplace_back("limits.memlock_hard", text_of(memlock.hard));
  facts.emplace_back("limits.io_uring_disabled",
                     text_of(attribute(root, "/proc/sys/kernel/io_uring_disabled", kNoSysctl)));
  facts.emplace_back("limits.io_uring_group",
                     text_of(attribute(root, "/proc/sys/kernel/io_uring_group", kNoSysctl)));
  facts.emplace_back("limits.seccomp", seccomp(root));
}

void append_virtualisation_facts(const Root& root, Facts& facts) {
  const Hypervisor hypervisor = find_hypervisor(root);
  facts.emplace_back("virt.hypervisor", text_of(hypervisor.name));
  facts.emplace_back("virt.accelerator", accelerator_text(hypervisor));
  facts.emplace_back("virt.container", container_hints(root));
  facts.emplace_back("virt.cgroup",
                     text_of(attribute(root, "/proc/self/cgroup", "no /proc/self/cgroup")));
}

void append_machine_facts(const Root& root, const CpuSets& sets, Facts& facts) {
  facts.emplace_back("machine.vendor", dmi(root, "sys_vendor"));
  facts.emplace_back("machine.product", product(root));
  facts.emplace_back("machine.bios_version", dmi(root, "bios_version"));
  facts.emplace_back("machine.bios_date", dmi(root, "bios_date"));
  facts.emplace_back("machine.topology", topology(root, sets));
}

}  // namespace msgring::host
