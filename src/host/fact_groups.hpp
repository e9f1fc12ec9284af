// SPDX-License-Identifier: MIT
// The groups of facts, one function each; together they are collect_facts.
#pragma once

#include "msgring/host/facts.hpp"

namespace msgring::host {

void append_kernel_facts(const Root& root, Facts& facts);
void append_cpu_facts(const Root& root, const CpuSets& sets, std::optional<int> pinned,
                      Facts& facts);
void append_memory_facts(const Root& root, Facts& facts);
void append_limit_facts(const Root& root, Facts& facts);
void append_virtualisation_facts(const Root& root, Facts& facts);
void append_machine_facts(const Root& root, const CpuSets& sets, Facts& facts);

}  // namespace msgring::host
