// SPDX-License-Identifier: MIT
// Which hypervisor runs this machine, and how it executes instructions.
#pragma once

#include <string>
#include <string_view>

#include "answer.hpp"

namespace msgring::host {

/// How the guest's instructions are executed, as far as the hypervisor's signature tells.
enum class Accelerator { kNone, kKvm, kTcg, kOther, kUnknown };

/// `name` is "none", the hypervisor's name or its signature; unknown where only a fake tree or an
/// architecture without CPUID could be asked.
struct Hypervisor {
  Answer name;
  Accelerator accelerator = Accelerator::kUnknown;
};

/// The signature that the running machine's CPUID gives: "" without a hypervisor, "KVMKVMKVM",
/// "TCGTCGTCGTCG", ...; kUnreadable on other architectures. KVM is found behind the Hyper-V
/// interface that QEMU can offer in front of it (leaf 0x40000100).
Answer cpuid_signature();

/// From a signature as above.
Hypervisor hypervisor_of(const Answer& signature);

/// From CPUID on this machine; elsewhere, and where CPUID says nothing, from /sys/hypervisor/type,
/// the "hypervisor" flag of /proc/cpuinfo and the DMI vendor.
Hypervisor find_hypervisor(const Root& root);

/// "kvm", "tcg", "none (no hypervisor)", or "unknown (why)".
std::string accelerator_text(const Hypervisor& hypervisor);

/// Hints that this process runs in a container, "no" without any.
std::string container_hints(const Root& root);

}  // namespace msgring::host
