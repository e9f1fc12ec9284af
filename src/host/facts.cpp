// SPDX-License-Identifier: MIT
// The order of the groups.
#include "msgring/host/facts.hpp"

#include "fact_groups.hpp"

namespace msgring::host {

Facts collect_facts(const Root& root, const CpuSets& sets, std::optional<int> pinned) {
  Facts facts;
  append_kernel_facts(root, facts);
  append_cpu_facts(root, sets, pinned, facts);
  append_memory_facts(root, facts);
  append_limit_facts(root, facts);
  append_virtualisation_facts(root, facts);
  append_machine_facts(root, sets, facts);
  return facts;
}

}  // namespace msgring::host
